import path from 'node:path';
import { expect, test } from 'vitest';
import { assembleCatalog } from '#core/catalog/assemble.js';
import { extendCatalog } from '#core/catalog/extend.js';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import { workflowFlow } from '#core/catalog/workflow-flow.js';
import { TroupeError } from '#kernel/errors.js';
import { randomFrom } from '#kernel/random.js';
import { ARCHETYPES, smallCatalog, smallFiles } from '../casting/small-catalog.js';

/** Always the same files that look like any: gates with and without branches, ways back, skips, circles, loose ends. */
function anyWorkflow(seed: number) {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const often = (share: number) => next() < share;
  const count = 3 + below(5);
  const ids = Array.from({ length: count }, (_, at) => `n${(at * 3) % count}-${at}`);
  const branches = { fine: 'pass', again: 'revise', no: 'stop' };
  const nodes = ids.map((id, at) => {
    if (at === count - 1 && often(0.5))
      return { id, type: 'terminal', ...(often(0.6) ? { target: one(['success', 'declined', 'failed']) } : {}) };
    if (at > 0 && often(0.4))
      return {
        id,
        type: one(['peer_review', 'check']),
        ...(often(0.6) ? { branches: often(0.7) ? branches : ['fine', 'again', 'no'] } : {}),
      };
    return { id, type: one(['prompt', 'fan_out', 'merge']) };
  });
  const edges = ids.flatMap((from, at) => {
    const isGate = 'branches' in (nodes[at] ?? {});
    const whens = ['peer_review', 'check'].includes(nodes[at]?.type ?? '')
      ? ['fine', 'again', 'no', 'always', undefined]
      : ['always', undefined];
    return Array.from({ length: at === count - 1 ? below(2) : 1 + below(2) }, (_, number) => {
      const back = number === 1 && often(whens.length > 2 ? 0.6 : 0.05);
      const to = back ? ids[below(at + 1)] : ids[Math.min(count - 1, at + 1 + below(3))];
      const when = isGate && back ? 'again' : one(whens);
      return { from, to: to ?? from, ...(when === undefined ? {} : { when }) };
    });
  });
  const loops = often(0.4) ? { [one(ids)]: { max: 1 + below(5) } } : undefined;
  return { id: `any-${seed}`, nodes, edges, ...(often(0.3) ? { start: one(ids) } : {}), ...(loops ? { loops } : {}) };
}

const said = (work: () => unknown): string => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

test('what the edges of any workflow mean is as it was found good', async () => {
  const lines = Array.from({ length: 120 }, (_, seed) => {
    const file = anyWorkflow(seed + 1);
    const edges = file.edges.map(({ from, to, when }) => `${from}>${to}${when === undefined ? '' : `:${when}`}`);
    const types = file.nodes.map((node) =>
      Object.values(node)
        .map((value) => (typeof value === 'string' ? value : '*'))
        .join(':'),
    );
    return [
      `== ${types.join(' ')} | ${edges.join(' ')}${file.start ? ` | from ${file.start}` : ''}${file.loops ? ` | ${JSON.stringify(file.loops)}` : ''}`,
      said(() => workflowFlow(parseWorkflow(file, 'any.yaml'))).replaceAll('"', ''),
    ];
  });
  await expect(`${lines.flat().join('\n')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/any-flow.txt'),
  );
});

const [LEAD = { id: '', domain: '' }] = ARCHETYPES;
const EMPTY = { verbs: [], making: [], signs: [], things: [], extra_to: [] };
const KINDS = {
  name: 'work-kinds.yaml',
  value: { kinds: [{ ...EMPTY, id: 'build', title: 'Build', team: [LEAD.id], beside: [LEAD.domain] }] },
};

test('goals of examples: kinds before the bar, comments and empty lines aside', () => {
  const files = smallFiles();
  const id = 'build';
  const read = (...lines: string[]) =>
    said(
      () =>
        assembleCatalog({ ...files, workKinds: KINDS, goalExamples: { name: 'goals.txt', value: lines } }).goalExamples,
    );
  expect([
    read('', '# a comment', `${id} | Build it | and more `, `${id},${id}|Mend it`),
    read('Build it'),
    read(`${id} |`),
    read(`${id} |  `),
    read('| Build it'),
    read(`${id}, moon, sun | Build it`),
  ]).toMatchInlineSnapshot(`
    [
      "[{"goal":"Build it | and more","kinds":["build"]},{"goal":"Mend it","kinds":["build","build"]}]",
      "catalog_invalid: goals.txt: 0: must be \`kind, kind | goal\`",
      "catalog_invalid: goals.txt: 0: must be \`kind, kind | goal\`",
      "catalog_invalid: goals.txt: 0: must be \`kind, kind | goal\`",
      "catalog_invalid: goals.txt: 0: there is no kind of work “”",
      "catalog_invalid: goals.txt: 0: there is no kind of work “moon”",
    ]
  `);
});

test('references of a manifest, of kinds of work and of universes that lead nowhere', () => {
  const files = smallFiles();
  const manifest = files.manifest.value as Record<string, readonly string[]>;
  const assembled = (change: object) => said(() => assembleCatalog({ ...files, ...change })).slice(0, 160);
  const withManifest = (more: object) => ({ manifest: { ...files.manifest, value: { ...manifest, ...more } } });
  const withKind = (more: object) => ({
    workKinds: { ...files.workKinds, value: { kinds: [{ ...KINDS.value.kinds[0], ...more }] } },
  });
  const [universe] = files.universes;
  expect([
    assembled({
      archetypes: files.archetypes.slice(1),
      ...withManifest({ archetypes: manifest['archetypes']?.slice(1) }),
    }),
    assembled(withManifest({ archetypes: [...(manifest['archetypes'] ?? []), manifest['archetypes']?.[0]] })),
    assembled(withManifest({ universes: manifest['universes']?.slice(1) })),
    assembled({ universes: [...files.universes, { ...universe, name: 'universes/other.yaml' }] }),
    assembled(withKind({ team: [ARCHETYPES[0]?.id, 'moon', 'sun'] })),
    assembled(withKind({ beside: ['moon', 'sun'] })),
    assembled({
      builtins: {
        ...files.builtins,
        value: [...(files.builtins.value as object[]), { name: '!!', archetype: 'scribe' }],
      },
    }),
  ]).toMatchInlineSnapshot(`
    [
      "catalog_invalid: manifest.yaml: archetypes: the general team needs “lead-architect”",
      "catalog_invalid: manifest.yaml: archetypes.10: “lead-architect” appears twice",
      "catalog_invalid: universes/the-matrix.yaml: the manifest does not name it",
      "catalog_invalid: universes/other.yaml: name: “The Matrix” exists twice",
      "catalog_invalid: work-kinds.yaml: kinds.0.team: “moon” cannot be cast",
      "catalog_invalid: work-kinds.yaml: kinds.0.beside: nobody is of the domain “moon”",
      "catalog_invalid: builtins.yaml: 4.name: not a member name",
    ]
  `);
});

test('what a project adds is there beside what is shipped, each by its own name', () => {
  const shipped = smallCatalog();
  const file = (name: string, value: unknown) => ({ name, value, lineOf: () => undefined });
  const bees = (more: object = {}) => ({
    id: 'bees',
    title: 'B',
    description: 'D',
    archetypes: [ARCHETYPES[0]?.id],
    ...more,
  });
  const [taken = ''] = [...shipped.groupings.keys()];
  const { catalog, problems } = extendCatalog(shipped, {
    ...{ archetypes: [], universes: [], charters: [] },
    groupings: [
      file('g/bees.yaml', bees()),
      file('h/bees.yaml', bees()),
      file(`g/${taken}.yaml`, bees({ id: taken })),
      file('g/wasps.yaml', bees()),
      file('g/ants.yaml', bees({ id: 'ants', archetypes: [ARCHETYPES[0]?.id, 'nobody'] })),
    ],
  });
  expect([...catalog.groupings.keys()]).toEqual([...shipped.groupings.keys(), 'bees']);
  expect(catalog).toEqual({ ...shipped, groupings: catalog.groupings });
  expect(problems.map(({ message }) => message.replaceAll(taken, 'TAKEN'))).toMatchInlineSnapshot(`
    [
      "h/bees.yaml: id: “bees” already exists: an entry cannot replace another",
      "g/TAKEN.yaml: id: “TAKEN” already exists: an entry cannot replace another",
      "g/wasps.yaml: id: “bees” already exists: an entry cannot replace another",
      "g/ants.yaml: archetypes.1: “nobody” cannot be cast",
    ]
  `);
});
