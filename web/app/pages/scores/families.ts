/** Role or trade-off with the ids of its parents. */
interface Descendant {
  readonly id: string;
  readonly parent_ids: readonly string[];
}

/**
 * First ancestors of each family: those without a listed parent, and one of each family in which every member has one,
 * because files name each other as parents.
 */
export function rootsOf<Ancestor extends Descendant>(
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
