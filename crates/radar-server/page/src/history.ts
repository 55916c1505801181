// What was, is, and was taken back.

export interface History<T> {
  past: T[];
  present: T;
  future: T[];
}

/** Steps that are kept; older ones are forgotten. */
export const MOST = 200;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

export function pushed<T>(history: History<T>, present: T): History<T> {
  return { past: [...history.past, history.present].slice(-MOST), present, future: [] };
}

export function undone<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

export function redone<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future };
}
