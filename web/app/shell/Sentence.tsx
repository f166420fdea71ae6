import { inert } from '#kernel/text.js';

/** A sentence with its commands set as code. */
export function Sentence({ text }: { readonly text: string }) {
  return inert(text)
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}
