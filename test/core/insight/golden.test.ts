import path from 'node:path';
import { expect } from 'vitest';
import type { Picture } from '#core/insight/picture.js';
import { verifies } from '../../verifies.js';
import { graphText, pictureOf, tasksOf, treeText } from './drawing.js';

/** Drawings that were looked at and found good; whoever changes one looks again. `vitest -u` writes them. */
const GOLDEN = path.join(import.meta.dirname, 'golden');

const review = [
  { id: 'brief', title: 'Brief', status: 'done' as const },
  {
    id: 'write-draft',
    title: 'Write draft',
    after: ['brief', 'revise-draft'],
    loop_iteration: 1,
    cycle_config: { max_iterations: 5, guard: { TaskStatus: { task: 'review-draft', status: 'failed' as const } } },
  },
  { id: 'review-draft', title: 'Review draft', after: ['write-draft'] },
  { id: 'revise-draft', title: 'Revise draft', after: ['review-draft'] },
  { id: 'publish', title: 'Publish', after: ['revise-draft'] },
];

const nested = [
  { id: 'plan', title: 'Plan' },
  { id: 'outer', title: 'Outer', after: ['plan', 'judge'], cycle_config: { max_iterations: 3 } },
  { id: 'inner', title: 'Inner', after: ['outer', 'polish'], loop_iteration: 2, cycle_config: { max_iterations: 4 } },
  { id: 'polish', title: 'Polish', after: ['inner'] },
  { id: 'side', title: 'Side work', after: ['plan'] },
  { id: 'judge', title: 'Judge', after: ['polish'] },
  { id: 'ship', title: 'Ship', after: ['judge', 'side'] },
];

const release = tasksOf({
  'read-code': [],
  'list-gaps': ['read-code'],
  'design-storage': ['list-gaps'],
  'design-api': ['list-gaps'],
  'design-ui': ['list-gaps'],
  'build-storage': ['design-storage'],
  'build-api': ['design-api', 'design-storage'],
  'build-ui': ['design-ui', 'design-api'],
  'test-storage': ['build-storage'],
  'test-api': ['build-api'],
  'test-ui': ['build-ui'],
  'write-docs': ['design-api', 'design-ui'],
  integrate: ['test-storage', 'test-api', 'test-ui'],
  'review-security': ['build-api', 'build-storage'],
  'fix-findings': ['review-security', 'integrate'],
  release: ['fix-findings', 'write-docs'],
  announce: ['release'],
  'buy-cake': [],
  party: ['buy-cake'],
});

const wide = [
  { id: 'start' },
  ...Array.from({ length: 24 }, (_, index) => ({ id: `part-${index}`, after: ['start'] })),
  { id: 'end', after: Array.from({ length: 24 }, (_, index) => `part-${index}`) },
];

const SHAPES: Readonly<Record<string, Picture>> = {
  chain: pictureOf(tasksOf({ read: [], write: ['read'], test: ['write'] })),
  diamond: pictureOf(tasksOf({ plan: [], left: ['plan'], right: ['plan'], join: ['left', 'right'] })),
  fan: pictureOf(
    tasksOf({
      plan: [],
      a: ['plan'],
      b: ['plan'],
      c: ['plan'],
      d: ['plan'],
      report: ['a', 'b', 'c', 'd'],
      publish: ['report', 'plan'],
    }),
  ),
  'two-roots': pictureOf(tasksOf({ code: [], papers: [], compare: ['code', 'papers'], cite: ['papers'], loner: [] })),
  crossing: pictureOf(
    tasksOf({ a: [], b: [], c: [], x: ['a', 'b'], y: ['b', 'c'], z: ['a', 'c'], end: ['x', 'y', 'z'] }),
  ),
  review: pictureOf(review),
  nested: pictureOf(nested),
  'self-edge': pictureOf([
    { id: 'watch' },
    { id: 'poll', after: ['watch', 'poll'], cycle_config: { max_iterations: 9 } },
    { id: 'tell', after: ['poll'] },
  ]),
  missing: pictureOf(tasksOf({ known: [], lost: ['known', 'ghost-task'] })),
  unicode: pictureOf([
    { id: 'a', title: '設計を読む' },
    { id: 'b', title: 'Launch 🚀 the 👩‍🚀 crew', after: ['a'] },
    { id: 'c', title: 'Café, naïve résumé', after: ['a'] },
    { id: 'd', title: '報告書を書いて、全員に送って、返事を待ってから、もう一度読む', after: ['b', 'c'] },
  ]),
  release: pictureOf(release),
  'critical-path': pictureOf(
    release.map((task) => ({ ...task, estimate: { hours: task.id.endsWith('storage') ? 5 : 1 } })),
    { all: true, critical_path: true },
  ),
  wide: pictureOf(wide),
};

for (const [name, picture] of Object.entries(SHAPES)) {
  verifies(['graph.viz.text', 'graph.viz.graph'], `${name} looks as it was found good`, async () => {
    await expect(`${graphText(picture).join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `${name}.graph.txt`));
    await expect(`${treeText(picture).join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `${name}.tree.txt`));
  });
}

verifies(['graph.viz.text', 'graph.viz.graph'], 'narrow terminals and terminals without the glyphs', async () => {
  const picture = pictureOf(review);
  const plain = [...graphText(picture, 100, false), '', ...treeText(picture, 100, false)];
  await expect(`${plain.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'review.ascii.txt'));
  const narrow = [...graphText(pictureOf(release), 60), '', ...treeText(pictureOf(release), 60)];
  await expect(`${narrow.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'release.narrow.txt'));
});
