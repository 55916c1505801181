// A value that is watched. Changes of one moment are told together, before the next frame is drawn.

export class Store<T extends object> {
  private watchers: ((now: T, before: T) => void)[] = [];
  private told: T;
  private waiting = false;

  constructor(private now: T) {
    this.told = now;
  }

  get state(): T {
    return this.now;
  }

  set(change: Partial<T>): void {
    this.now = { ...this.now, ...change };
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => this.tell());
  }

  watch(watcher: (now: T, before: T) => void): void {
    this.watchers.push(watcher);
  }

  /** Calls back at once, and whenever one of the keys has another value. */
  on<K extends keyof T>(keys: readonly K[], watcher: (now: T) => void): void {
    watcher(this.now);
    this.watch((now, before) => {
      if (keys.some((key) => now[key] !== before[key])) watcher(now);
    });
  }

  private tell(): void {
    this.waiting = false;
    const before = this.told;
    this.told = this.now;
    const now = this.now;
    for (const watcher of this.watchers) {
      try {
        watcher(now, before);
      } catch (error) {
        // One part that fails must not keep the others from what has changed.
        reportError(error);
      }
    }
  }
}
