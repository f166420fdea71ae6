import { inert } from '#kernel/text.js';
import type { Stats } from './AgencyPage.js';

type Ancestor = Stats['lineage'][number];

/** Maximum depth drawn. It ends cycles of files that name each other as parents. */
const DEPTH_MOST = 12;

/** Ancestry of roles and trade-offs; families of one are left out. */
export function Lineage({ ancestors }: { readonly ancestors: readonly Ancestor[] }) {
  const children = new Map<string, Ancestor[]>();
  for (const one of ancestors)
    for (const parent of one.parent_ids) children.set(parent, [...(children.get(parent) ?? []), one]);
  const roots = rootsOf(ancestors, children);
  if (roots.length === 0) return null;
  return (
    <section aria-label="Lineage">
      <h2>Lineage</h2>
      <ul className="lineage">
        {roots.map((root) => (
          <Branch key={root.id} one={root} of={children} depth={0} />
        ))}
      </ul>
    </section>
  );
}

/**
 * First ancestors of each family: those without a listed parent, and one of each family in which every member has one,
 * because files name each other as parents.
 */
export function rootsOf(
  ancestors: readonly Ancestor[],
  children: ReadonlyMap<string, readonly Ancestor[]>,
): readonly Ancestor[] {
  const families = ancestors.filter(({ id }) => children.has(id));
  const listed = new Set(ancestors.map(({ id }) => id));
  const isFirst = ({ parent_ids: parents }: Ancestor) => !parents.some((parent) => listed.has(parent));
  const [roots, drawn] = [[] as Ancestor[], new Set<string>()];
  for (const one of [...families.filter(isFirst), ...families]) {
    if (drawn.has(one.id)) continue;
    roots.push(one);
    for (const open = [one.id]; open.length > 0; ) {
      const id = open.pop() ?? '';
      if (drawn.has(id)) continue;
      drawn.add(id);
      open.push(...(children.get(id) ?? []).map((child) => child.id));
    }
  }
  return roots;
}

function Branch({
  one,
  of,
  depth,
}: {
  readonly one: Ancestor;
  readonly of: ReadonlyMap<string, Ancestor[]>;
  readonly depth: number;
}) {
  const below = depth < DEPTH_MOST ? (of.get(one.id) ?? []) : [];
  const facts = [
    one.kind === 'tradeoff' ? 'trade-off' : one.kind,
    one.generation === null ? undefined : `generation ${one.generation}`,
    one.created_by === null ? undefined : `by ${inert(one.created_by)}`,
    one.state === 'active' ? undefined : one.state,
  ].filter((fact) => fact !== undefined);
  return (
    <li className={one.state === 'active' ? undefined : 'is-retired'}>
      <strong>{inert(one.name ?? one.id.slice(0, 12))}</strong> <span className="muted">{facts.join(', ')}</span>
      {below.length === 0 ? null : (
        <ul>
          {below.map((child) => (
            <Branch key={child.id} one={child} of={of} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}
