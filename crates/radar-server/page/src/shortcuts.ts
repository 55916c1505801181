// Keys and files that may come anywhere on the page.

import type { Editing } from "./editing";
import type { Desk } from "./state";

/** Whether keys belong to a field that is being filled in. */
function writing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function shortcuts(desk: Desk, editing: Editing): void {
  addEventListener("keydown", (event) => {
    if (writing(event.target)) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "z") event.shiftKey ? editing.redo() : editing.undo();
    else if (command && key === "y") editing.redo();
    else if (event.key === "Escape" && desk.state.selected !== null) desk.set({ selected: null });
    else return;
    event.preventDefault();
  });
}

export function dropping(take: (files: File[]) => void, paste: (text: string) => void): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const files = [...(event.dataTransfer?.files ?? [])];
    const text = event.dataTransfer?.getData("text/plain");
    if (files.length > 0) take(files);
    else if (text) paste(text);
  });
  addEventListener("paste", (event) => {
    if (writing(event.target)) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain");
    if (files.length > 0) take(files);
    else if (text?.trim()) paste(text);
  });
}
