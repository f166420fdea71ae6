import { expect, test } from 'vitest';
import { addCoreLesson, parseCore } from '#core/roles/core-file.js';
import type { Lane } from '#core/roles/lane.js';
import { editRows, mintRow } from '#core/roles/lane-edit.js';
import { parseLane } from '#core/roles/lane-file.js';
import {
  afterRun,
  cleanRunsLeft,
  crewResult,
  panelResult,
  type RowState,
  researchResult,
  type SeatResult,
} from '#core/roles/lane-life.js';
import { endRun, withLogEntry } from '#core/roles/run-end.js';
import { verifies } from '../../verifies.js';

const NEW: RowState = { status: 'probationary', runs: { clean: 0, thin: 0, cuts: 0 } };
const after = (lane: Lane, results: readonly SeatResult[], from: RowState = NEW) =>
  results.reduce<RowState>((state, result) => afterRun(lane, state, result), from);
const fresh = (lane: Lane, name = 'qa') =>
  mintRow(lane, undefined, { name, fields: { charter: 'Finds defects.' } }).text;
const rowOf = (lane: Lane, text: string, name = 'qa') =>
  parseLane(lane, text).rows.find((row) => row.name === name)?.row;
const run = (id: string, result: SeatResult, lesson?: string) => ({
  run: id,
  date: '2026-11-23',
  rows: [{ name: 'qa', result, ...(lesson === undefined ? {} : { lesson }) }],
});

verifies('roles.life.auto', 'three clean runs make a row of any lane stable, by count and with the date', () => {
  for (const lane of ['crew', 'panel', 'research'] as const) {
    expect(after(lane, ['clean', 'clean']).status).toBe('probationary');
    expect(after(lane, ['clean', 'neither', 'clean', 'clean']).status).toBe('stable');
    let text = fresh(lane);
    for (const id of ['r1', 'r2', 'r3']) text = endRun(lane, text, run(id, 'clean')).text;
    expect(rowOf(lane, text)).toMatchObject({
      status: 'stable',
      runs: { clean: 3, thin: 0, cuts: 0 },
      lessons: [{ date: '2026-11-23', text: 'status: stable after 3 clean runs (r3)' }],
    });
  }
  expect(crewResult({ passed: true, rejections: 0, escalations: 0 })).toBe('clean');
  expect(crewResult({ passed: true, rejections: 1, escalations: 0 })).toBe('neither');
  expect(crewResult({ passed: true, rejections: 0, escalations: 1 })).toBe('neither');
  expect([panelResult({ adopted: 1, steelman: false }), panelResult({ adopted: 0, steelman: true })]).toEqual([
    'clean',
    'clean',
  ]);
  expect(panelResult({ adopted: 0, steelman: false })).toBe('neither');
  expect(researchResult({ entries: 5, floor: 5, fabricated: 0 })).toBe('clean');
  expect(researchResult({ entries: 5, floor: 5, fabricated: 1 })).toBe('neither');
  expect(researchResult({ entries: 4, floor: 5, fabricated: 0 })).toBe('thin');
});

verifies(
  'roles.life.auto',
  'research demotes after two thin runs in a row and retires after three, or after three cuts',
  () => {
    const stable: RowState = { status: 'stable', runs: { clean: 5, thin: 0, cuts: 0 } };
    expect(after('research', ['thin'], stable).status).toBe('stable');
    expect(after('research', ['thin', 'thin'], stable)).toMatchObject({ status: 'probationary', runs: { thin: 2 } });
    expect(after('research', ['thin', 'thin', 'thin'], stable).status).toBe('retired');
    expect(after('research', ['thin', 'clean', 'thin'], stable).status).toBe('stable');
    expect(after('research', ['thin', 'thin', 'clean'], stable).status).toBe('probationary');
    expect(after('research', ['cut', 'cut', 'cut']).status).toBe('retired');
    for (const lane of ['crew', 'panel'] as const) {
      expect(after(lane, ['thin', 'thin', 'thin'], stable).status).toBe('stable');
      expect(after(lane, ['cut', 'cut', 'cut'])).toMatchObject({ status: 'probationary', runs: { cuts: 3 } });
    }
  },
);

verifies('roles.life.auto', 'the third cut proposes to retire a row of crew or panel, once', () => {
  let text = fresh('crew');
  const unwanted = ['r1', 'r2', 'r3', 'r4'].map((id) => {
    const ended = endRun('crew', text, run(id, 'cut'));
    text = ended.text;
    return ended.news.unwanted;
  });
  expect(unwanted).toEqual([[], [], ['qa'], []]);
  expect(rowOf('crew', text)?.status).toBe('probationary');
});

verifies('roles.life.retired', 'a retired row is kept as it is by every run', () => {
  expect(after('crew', ['clean', 'cut', 'thin'], { ...NEW, status: 'retired' })).toEqual({ ...NEW, status: 'retired' });
  const text = editRows('crew', fresh('crew'), [{ name: 'qa', fields: { status: 'retired' } }]);
  expect(endRun('crew', text, run('r1', 'clean', 'a lesson'))).toMatchObject({
    text,
    news: { counted: [], skipped: ['qa'] },
  });
});

verifies('roles.life.reset', 'a clean run sets thin runs back, and a run counts once however often it is told', () => {
  expect(after('research', ['thin', 'clean']).runs).toEqual({ clean: 1, thin: 0, cuts: 0 });
  const once = endRun('crew', fresh('crew'), run('r1', 'clean', 'first'));
  expect(once.news.counted).toEqual(['qa']);
  const again = endRun('crew', once.text, run('r1', 'clean', 'second'));
  expect(again).toMatchObject({ text: once.text, news: { counted: [] } });
  const later = ['r2', 'r3', 'r1', 'r2'].reduce((text, id) => endRun('crew', text, run(id, 'clean')).text, once.text);
  expect(rowOf('crew', later)?.runs.clean).toBe(3);
});

verifies(
  'roles.mint',
  'a seat nobody covers becomes a row on probation with a charter, in that lane, without a core',
  () => {
    const { text, minted } = mintRow('crew', undefined, {
      name: 'scribe',
      fields: { charter: 'Writes\nit down.', owns: 'documents', status: 'stable' },
    });
    expect(minted).toBe(true);
    expect(rowOf('crew', text, 'scribe')).toMatchObject({
      role: undefined,
      status: 'probationary',
      runs: { clean: 0 },
      lessons: [],
    });
    expect(rowOf('crew', text, 'scribe')?.fields.get('charter')).toBe('Writes it down.');
    expect(mintRow('crew', text, { name: 'scribe', fields: { charter: 'Other.' } })).toEqual({ text, minted: false });
    const more = mintRow('crew', text, { name: 'ops', fields: { charter: 'Runs it.' } }).text;
    expect(more.startsWith(text)).toBe(true);
    expect(() => mintRow('crew', text, { name: 'registry', fields: { charter: '' } })).toThrow(
      expect.objectContaining({ code: 'bad_role_name' }),
    );
    expect(() => mintRow('crew', '```\n', { name: 'ops', fields: { charter: '' } })).toThrow(
      expect.objectContaining({ code: 'bad_role_file' }),
    );
  },
);

verifies(
  'roles.learn.append',
  'a lesson is one short line without anything hidden or secret, and stands there once',
  () => {
    const learn = (text: string, id: string, lesson: string) => endRun('crew', text, run(id, 'neither', lesson)).text;
    let text = learn(fresh('crew'), 'r1', 'use\n  the `gate`\u202e with sk-abcdefghijklmnopqrstuvwx');
    text = learn(text, 'r2', 'USE the  `gate`\\u{202e} with ********');
    text = learn(text, 'r3', 'x'.repeat(400));
    text = learn(text, 'r4', '  \n ');
    expect(rowOf('crew', text)?.lessons.map((lesson) => lesson.text)).toEqual([
      'use the `gate`\\u{202e} with ********',
      `${'x'.repeat(299)}…`,
    ]);
    const two = {
      run: 'r5',
      date: '2026-11-23',
      rows: [
        { name: 'qa', result: 'clean', lesson: 'one' },
        { name: 'qa', result: 'clean', lesson: 'two' },
      ],
    } as const;
    const after = rowOf('crew', endRun('crew', text, two).text);
    expect([after?.lessons.at(-1)?.text, after?.runs.clean]).toEqual(['one', 1]);
  },
);

verifies(
  ['roles.learn.append', 'roles.rule.solo-lane'],
  'a solo lesson goes to the solo section, which is made where there is none',
  () => {
    const core = '# qa\n\n## Charter\n\nFinds.\n';
    const once = addCoreLesson('qa', core, 'solo', { date: '2026-11-23', text: 'Look twice.' });
    expect(once.text).toBe(`${core}\n## Learnings (solo)\n\n- 2026-11-23 — Look twice.\n`);
    expect(addCoreLesson('qa', once.text, 'solo', { date: '2026-11-24', text: 'look  TWICE.' })).toEqual({
      text: once.text,
      added: false,
    });
    const { role } = parseCore('qa', once.text);
    expect([role.core, role.solo.length]).toEqual([[], 1]);
  },
);

test('an entry comes last in the log of its lane, apart from the one before, and once', () => {
  const one = withLogEntry(undefined, '## r1  2026-11-23  troupe\n- outcome: shipped\n');
  const two = withLogEntry(one, '## r2  2026-11-23  troupe\n- outcome: abandoned');
  expect(two).toBe(`${one}\n## r2  2026-11-23  troupe\n- outcome: abandoned\n`);
  expect(withLogEntry(two, '## r1  2026-11-23  troupe\n- outcome: shipped')).toBe(two);
  expect(withLogEntry('old\r\n', 'a\nb')).toBe('old\r\n\r\na\r\nb\r\n');
});

verifies('roles.life.auto', 'a row says how many clean runs it still lacks; one that is settled lacks none', () => {
  const left = (status: RowState['status'], clean: number) =>
    cleanRunsLeft({ status, runs: { clean, thin: 0, cuts: 0 } });
  expect([0, 1, 2, 3, 9].map((clean) => left('probationary', clean))).toEqual([3, 2, 1, 1, 1]);
  expect([left('stable', 3), left('retired', 0)]).toEqual([undefined, undefined]);
});
