import { useEffect } from 'react';

/** The field of an open dialog that takes what was typed while the dialog was loading. */
const FIELD = 'dialog[open] :is(textarea, input:not([type="checkbox"]))';

/**
 * Stands in for a dialog that is loading, and keeps what is typed meanwhile: no key of it is a shortcut. Once the dialog
 * is open, its first field takes the text.
 */
export function TypedAhead() {
  useEffect(() => {
    let typed = '';
    const onKey = (event: KeyboardEvent) => {
      const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : afterKey(typed, event.key);
      if (next === undefined) return;
      typed = next;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      if (typed !== '') queueMicrotask(() => enter(typed)); // the dialog opens in the effects that follow this one
    };
  }, []);
  return null;
}

/** The text after one more key; undefined for a key that the page has to handle. */
function afterKey(typed: string, key: string): string | undefined {
  if (key === 'Enter') return typed;
  if (key === 'Backspace') return typed.slice(0, -1);
  return [...key].length === 1 ? typed + key : undefined;
}

/** Types a text into the field, which hears of it as of any other. */
function enter(text: string): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(FIELD);
  if (field === null) return;
  field.focus();
  field.setRangeText(text, field.value.length, field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
