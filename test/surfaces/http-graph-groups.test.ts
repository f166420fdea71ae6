import fc from 'fast-check';
import { expect } from 'vitest';
import { BOXES_MOST, type BoxTask, boxesOf, isGroup } from '#core/insight/boxes.js';
import { GROUPINGS } from '#core/insight/task-properties.js';
import { layOut } from '../../web/app/pages/tasks/layout.js';
import { processorMs } from '../processor-time.js';
import { verifies } from '../verifies.js';

const task = (id: string, more: Partial<BoxTask> = {}): BoxTask => ({ id, state: 'open', after: [], ...more });
const none: ReadonlySet<string> = new Set();
const many = (count: number, more: (index: number) => Partial<BoxTask> = () => ({})) =>
  Array.from({ length: count }, (_, index) => task(`t${index}`, more(index)));

verifies(
  'ui.web.perf',
  'tasks of a playbook stand in one box with how they are, and what waits for them is tied to it',
  () => {
    const tags = ['wf:release', 'urgent'];
    const tasks = [
      task('plan', { tags, state: 'done' }),
      task('build', { tags, state: 'failed', after: ['plan'] }),
      task('announce', { after: ['build', 'gone'] }),
      task('alone', { tags: ['wf:one'] }),
    ];
    const { boxes, boxOf } = boxesOf(tasks, 'playbook', none);
    expect(boxes.map(({ id, after }) => [id, after])).toEqual([
      ['group:playbook:release', []],
      ['announce', ['group:playbook:release', 'gone']],
      ['alone', []],
    ]);
    expect(boxes[0]?.content).toMatchObject({
      label: 'release',
      counts: [
        ['failed', 1],
        ['done', 1],
      ],
      opens: true,
    });
    expect(boxOf.get('plan')).toBe('group:playbook:release');
    const opened = boxesOf(tasks, 'playbook', new Set(['group:playbook:release']));
    expect(opened.boxes.map(({ id }) => id).sort()).toEqual(['alone', 'announce', 'build', 'plan']);
    expect(opened.opened.map(({ label }) => label)).toEqual(['release']);
  },
);

verifies(
  'ui.web.perf',
  'a small graph is drawn as it is; of a large one the first way that makes a picture of it is taken',
  () => {
    const by = (tasks: BoxTask[]) => boxesOf(tasks, 'auto', none).by;
    expect(by(many(BOXES_MOST, () => ({ tags: ['wf:a'] })))).toBe('none');
    expect(by(many(4_000, (index) => ({ tags: [`wf:${index % 9}`], state: 'done' })))).toBe('playbook');
    expect(by(many(4_000, (index) => ({ state: index < 3_900 ? 'done' : 'open' })))).toBe('finished');
    expect(by(many(4_000, (index) => ({ tags: ['wf:', `area-${index % 7}`] })))).toBe('tag');
    expect(by(many(4_000, (index) => ({ member: `m${index % 7}` })))).toBe('member');
  },
);

verifies(
  'ui.web.perf',
  'whatever the graph, a picture holds so many boxes and every task; what needs somebody stands alone first',
  () => {
    const states = ['failed', 'in-progress', 'open', 'done'] as const;
    const some = fc.array(
      fc.record({
        after: fc.array(fc.nat({ max: 900 }), { maxLength: 2 }),
        tag: fc.nat({ max: 400 }),
        state: fc.constantFrom(...states),
      }),
      { minLength: 1, maxLength: 900 },
    );
    fc.assert(
      fc.property(some, fc.constantFrom(...GROUPINGS), (rows, by) => {
        const tasks = rows.map(({ after, tag, state }, id) =>
          task(`t${id}`, { after: after.map((other) => `t${other}`), tags: [`wf:${tag}`, `g${tag % 40}`], state }),
        );
        const { boxes, boxOf } = boxesOf(tasks, by, none);
        expect(boxes.length).toBeLessThanOrEqual(BOXES_MOST);
        const inside = boxes.flatMap(({ content }) => (isGroup(content) ? content.tasks : [content]));
        expect(inside.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort());
        expect([...boxOf.keys()].sort()).toEqual(tasks.map(({ id }) => id).sort());
      }),
      { numRuns: 60, seed: 5 },
    );
    const { boxes } = boxesOf(
      many(2_000, (index) => ({ state: index === 1_999 ? 'failed' : 'open' })),
      'none',
      none,
    );
    expect(boxes.some(({ id }) => id === 't1999')).toBe(true);
    expect(boxes[0]?.content).toMatchObject({ label: `${2_000 - BOXES_MOST + 1} more tasks`, opens: false });
  },
);

verifies('ui.web.perf', 'as many boxes as a picture holds are laid out while one waits', () => {
  const chain = many(BOXES_MOST, (index) => ({ after: index === 0 ? [] : [`t${Math.floor((index - 1) / 3)}`] }));
  const layingOut = () => expect(layOut(boxesOf(chain, 'none', none).boxes).places.size).toBe(BOXES_MOST);
  expect(processorMs(layingOut)).toBeLessThan(5_000); // a twentieth of it on a quiet machine
});
