import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { type Branch, Tree } from '../../shell/Tree.js';
import { rootsOf } from './families.js';

type Stats = Answer<'agency.stats'>;
type Ancestor = Stats['lineage'][number];

/** Maximum depth drawn. It ends cycles of files that name each other as parents. */
const DEPTH_MOST = 12;

/** Ancestry of roles and trade-offs, from the first ancestor on the left; families of one are left out. */
export function Lineage({ ancestors }: { readonly ancestors: readonly Ancestor[] }) {
  const children = new Map<string, Ancestor[]>();
  for (const one of ancestors)
    for (const parent of one.parent_ids) children.set(parent, [...(children.get(parent) ?? []), one]);
  const roots = rootsOf(ancestors, children);
  if (roots.length === 0) return null;
  const branch = (one: Ancestor, depth: number): Branch => ({
    key: one.id,
    node: <Entity one={one} />,
    below: depth < DEPTH_MOST ? (children.get(one.id) ?? []).map((child) => branch(child, depth + 1)) : [],
  });
  return (
    <section aria-label="Lineage">
      <h2>Lineage</h2>
      <Tree label="From ancestors to successors" branches={roots.map((root) => branch(root, 0))} />
    </section>
  );
}

function Entity({ one }: { readonly one: Ancestor }) {
  const facts = [
    one.kind === 'tradeoff' ? 'trade-off' : one.kind,
    one.generation === null ? undefined : `generation ${one.generation}`,
    one.created_by === null ? undefined : `by ${inert(one.created_by)}`,
    one.state === 'active' ? undefined : one.state,
  ].filter((fact) => fact !== undefined);
  return (
    <div className={one.state === 'active' ? 'tree-node' : 'tree-node is-retired'}>
      <strong>{inert(one.name ?? one.id.slice(0, 12))}</strong> <span className="muted">{facts.join(', ')}</span>
    </div>
  );
}
