import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { taskOf } from '#core/graph/task-of.js';
import { seatTags } from '#core/playbooks/formation.js';
import { soloTags } from '#core/playbooks/role-place.js';
import { handedLesson } from '#core/roles/handed-lesson.js';
import { Finishing } from '#operations/coordinator/finishing.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import { fact, graphOf, held, NOW, said, snapshot } from '../../core/coordinator/stage.js';
import type { TaskFields } from '../../core/graph/graph.js';
import { verifies } from '../../verifies.js';
import { roleStage } from './place.js';

const FILE = '.claude/roles/qa.md';
const TEXT = '# qa\n\n## Charter\n\nChecks.\n\n## Learnings (core)\n\n## Learnings (solo)\n';

/** A run that ended well with these words, looked at twice as after a crash. */
async function ended(tags: readonly string[], words: string, text = TEXT) {
  const own = await roleStage([[FILE, text]]);
  const notes: string[] = [];
  await own.store.commit(() => ({
    events: [
      {
        op: 'add_task',
        task_id: 'a',
        patch: [
          { id: 'a', put: { kind: 'task', id: 'a', title: 'a', status: 'in-progress', fence: 1, tags: [...tags] } },
        ],
      },
    ],
    result: undefined,
  }));
  const finishing = new Finishing(own.context(), (note) => notes.push(note), NO_WORKERS);
  const run = {
    id: 'agent-1',
    taskId: 'a',
    fence: 1,
    result: { verdict: 'success', lastWords: words },
  } as unknown as RunFact;
  const task = taskOf(await own.store.view(), 'a');
  for (let time = 0; time < 2; time++) await finishing.finish(task, run);
  return {
    file: own.files.texts.get(FILE),
    notes,
    learned: (await own.events()).filter(({ op }) => op === 'roles_learn'),
  };
}

verifies(
  'roles.rule.solo-lane',
  'a run alone hands on one lesson at its end: it goes to the solo lessons, once',
  async () => {
    const { file, learned } = await ended(
      soloTags('qa'),
      'All checked.\nLesson: not this one\n\n**Lesson:** read the test\u200b first',
    );
    expect(file).toMatch(
      /## Learnings \(core\)\n\n## Learnings \(solo\)\n\n?- \d{4}-\d\d-\d\d — read the test\\u\{200b\} first\n$/,
    );
    expect(learned).toMatchObject([{ detail: { role: 'qa', run: 'agent-1' } }]);
  },
);

verifies('roles.rule.own-lane', 'no other run writes there, whatever its last words are', async () => {
  const crew = seatTags('crew', '20260301-add-csv-export-1f0c', 'qa');
  for (const tags of [[], crew, [...crew, ...soloTags('qa')]])
    expect((await ended(tags, 'Lesson: trust me')).file).toBe(TEXT);
  expect((await ended(soloTags('qa'), 'No lesson: nothing new.')).file).toBe(TEXT);
  const { notes } = await ended(soloTags('gone'), 'Lesson: x');
  expect(notes[0]).toContain('the lesson of agent-1 was not saved');
});

test('the lesson is a line of its own among the last words', () => {
  expect(handedLesson('- Lesson: a')).toBe('a');
  expect(handedLesson('The lesson: b')).toBeUndefined();
  expect(handedLesson(undefined)).toBeUndefined();
});

verifies(
  'roles.rule.solo-lane',
  'the coordinator has the end of such a run looked at, also where it works in the project itself',
  () => {
    const words = (lastWords: string, tags: readonly string[]) => {
      const result = { outcome: 'succeeded', reason: '', lastWords } as const;
      const run = fact('agent-1', 'a', { executor: 'claude', startedAt: NOW, alive: false, exit: { code: 0 }, result });
      const graph = graphOf(held('a', 'agent-1', { exec: undefined, tags: [...tags] } as unknown as TaskFields));
      return said(decide(snapshot(graph, { runs: [run], finishes: true }), NOW))[0];
    };
    expect(words('Lesson: read the test first', soloTags('qa'))).toBe('finish a agent-1');
    expect(words('Done.', soloTags('qa'))).not.toBe('finish a agent-1');
    expect(words('Lesson: read the test first', [])).not.toBe('finish a agent-1');
  },
);
