import { inert } from '#kernel/text.js';

/** Foreign text shown verbatim: without links, scrollable if long. */
export function Reading({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="reading" tabIndex={0} aria-label={label}>
      <pre>{inert(text, true)}</pre>
    </section>
  );
}
