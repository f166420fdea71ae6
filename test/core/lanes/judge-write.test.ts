import { expect, test } from 'vitest';
import { refuseWrite } from '#core/lanes/judge-write.js';
import { logFile } from '#core/lanes/role-paths.js';
import { CREW_WRITER } from '#core/lanes/writers.js';

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
