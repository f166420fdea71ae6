import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe, untilStatus } from './program.js';

interface Imported {
  readonly tasks: { readonly id: string; readonly paused: boolean; readonly after: string[] }[];
  readonly present: number;
}
interface Shown {
  readonly task: { readonly status: string };
}

const issue = (id: string, fields: object) => JSON.stringify({ id, priority: 2, issue_type: 'task', ...fields });

verifies(
  ['import.command', 'import.again'],
  'a person looks at the issues of beads, takes them over, again without doubles, and starts one',
  async () => {
    const cwd = await project();
    mkdirSync(path.join(cwd, '.beads'));
    const lines = [
      issue('bd-1', { title: 'Write the lexer', status: 'closed' }),
      issue('bd-2', {
        ...{ title: 'Write the parser', status: 'open', assignee: 'ann' },
        dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'blocks' }],
      }),
      issue('bd-3', { title: 'Dropped', status: 'tombstone' }),
    ];
    writeFileSync(path.join(cwd, '.beads/issues.jsonl'), `\ufeff${lines.join('\r\n')}\r\n`);
    const preview = await troupe(['import', '.', '--dry-run'], { cwd });
    expect(preview.stdout).toMatch(/bd-1 +● done +Write the lexer/);
    expect(preview.stdout).toMatch(/bd-2 +○ open, paused +Write the parser +bd-1/);
    expect(preview.stdout).toContain('Left out (1):\n  bd-3 Dropped: deleted there');
    expect(preview.stdout).toContain('2 tasks would be imported from beads, .. Nothing was changed');
    expect((await troupe(['list'], { cwd })).stdout).toContain('No tasks yet');
    writeFileSync(path.join(cwd, 'list.md'), '- [ ] A\n  - [ ] B\n- [ ]\n');
    const list = (await troupe(['import', 'list.md', '--dry-run'], { cwd })).stdout;
    expect(list).toMatch(/Left out \(1\):\n {2}\w+: an item without text\n/);
    const { tasks } = await asked<Imported>(['import', '.beads'], { cwd });
    expect(tasks).toMatchObject([{ id: 'bd-1' }, { id: 'bd-2', paused: true, after: ['bd-1'] }]);
    expect((await troupe(['show', 'bd-2'], { cwd })).stdout).toContain('"assignee": "ann"');
    expect((await troupe(['import', 'list.md'], { cwd })).stdout).toContain('`troupe resume b` starts one');
    await startService(cwd);
    expect(await asked<Imported>(['import', '.beads/issues.jsonl'], { cwd })).toMatchObject({ tasks: [], present: 2 });
    expect((await asked<{ resumed: string[] }>(['resume', 'bd-2'], { cwd })).resumed).toEqual(['bd-2']);
    expect((await troupe(['import', 'README.md'], { cwd })).code).toBe(1);
  },
);

verifies('import.inert', 'a command of an imported graph runs only after a person trusts it', async () => {
  const cwd = await project();
  const touched = path.join(cwd, 'touched');
  const node = { kind: 'task', id: 'x', title: 'X', status: 'open', exec: `touch ${touched}` };
  writeFileSync(path.join(cwd, 'other.jsonl'), `${JSON.stringify(node)}\n`);
  await startService(cwd);
  const printed = await troupe(['import', 'other.jsonl', '--open'], { cwd });
  expect(printed.stdout).toContain('1 command of them waits for `troupe trust`.');
  await asked(['add', 'Other', '--id', 'other', '--exec', 'true'], { cwd });
  await untilStatus(cwd, 'other', 'done');
  expect((await asked<Shown>(['show', 'x'], { cwd })).task.status).toBe('open');
  expect(existsSync(touched)).toBe(false);
  expect((await troupe(['why', 'x'], { cwd })).stdout).toContain('troupe trust');
  await asked(['trust'], { cwd });
  await untilStatus(cwd, 'x', 'done');
  expect(existsSync(touched)).toBe(true);
});
