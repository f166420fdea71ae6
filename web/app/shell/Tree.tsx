import type { ReactNode } from 'react';

export interface Branch {
  readonly key: string;
  readonly node: ReactNode;
  readonly below: readonly Branch[];
}

/** Tree from left to right, as nested lists with lines between them; on a phone indented. */
export function Tree({ label, branches }: { readonly label: string; readonly branches: readonly Branch[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="tree" tabIndex={0} aria-label={label}>
      <Branches branches={branches} />
    </section>
  );
}

function Branches({ branches }: { readonly branches: readonly Branch[] }) {
  return (
    <ul>
      {branches.map(({ key, node, below }) => (
        <li key={key}>
          {node}
          {below.length === 0 ? null : <Branches branches={below} />}
        </li>
      ))}
    </ul>
  );
}
