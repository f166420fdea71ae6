import { expect, test } from 'vitest';
import { parseCore } from '#core/roles/core-file.js';
import { refuseWrite } from '#core/roles/judge-write.js';
import { parseLane } from '#core/roles/lane-file.js';
import { coreFile, laneFile, logFile } from '#core/roles/role-paths.js';
import { CREW_WRITER, SOLO_WRITER } from '#core/roles/writers.js';
import { verifies } from '../../verifies.js';

test('a lane appends to its log: no writer changes or drops an entry that stands there', () => {
  const log = '## first\n\noutcome: shipped\n';
  const write =
    (after: string, before: string | undefined = log) =>
    () =>
      refuseWrite(CREW_WRITER, logFile('crew'), before, after);
  expect(write(`${log}\n## second\n`)).not.toThrow();
  expect(write(log, undefined)).not.toThrow();
  for (const after of ['', log.replace('shipped', 'abandoned'), `\n${log}`, log.slice(0, -1)])
    expect(write(after), JSON.stringify(after)).toThrow(expect.objectContaining({ code: 'not_lane_writer' }));
});

verifies(
  'who.marks',
  'what git could not merge is an error of its file, no row of it is used, and nothing is written into it',
  () => {
    const row = (name: string) => `### ${name}\n- status: stable\n- owns: things\n- learnings:\n`;
    const conflict = '<<<<<<< HEAD\n- status: stable\n=======\n- status: retired\n>>>>>>> theirs\n';
    const text = `${row('dev')}\n### qa\n${conflict}- owns: things\n- learnings:\n`;
    const { rows, problems } = parseLane('crew', text);
    expect(rows.map(({ name, row: used }) => [name, used?.status])).toEqual([
      ['dev', 'stable'],
      ['qa', undefined],
    ]);
    expect(problems).toContainEqual(expect.objectContaining({ line: 7, severity: 'error' }));
    const core = `# skeptic\n\n## Charter\n\n${conflict.replaceAll('- status: ', 'Refutes ')}\n## Learnings (core)\n`;
    expect(parseCore('skeptic', core).problems).toContainEqual(expect.objectContaining({ line: 5, severity: 'error' }));
    const writes = [
      [CREW_WRITER, laneFile('crew'), text],
      [SOLO_WRITER, coreFile('skeptic'), core],
      [CREW_WRITER, logFile('crew'), `## first\n${conflict}`],
    ] as const;
    for (const [writer, file, before] of writes)
      expect(() => refuseWrite(writer, file, before, `${before}more\n`), file).toThrow(
        expect.objectContaining({ code: 'bad_role_file' }),
      );
    // Equals signs alone are a heading.
    expect(
      parseCore('skeptic', '# skeptic\n\n## Charter\n\nRefutes.\n\n## Body\n\nMethods\n=======\n').problems,
    ).toEqual([]);
  },
);
