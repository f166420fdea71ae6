import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { ownSettings } from './client-world.js';
import { asked, textOf, troupe, until, untilStatus } from './program.js';
import { logOf, repositoryProject, serveClients } from './repository-world.js';

interface Standing {
  readonly run: string;
  readonly steps: readonly { readonly step: string; readonly status: string }[];
}

verifies(
  ['gate.clients', 'crew.chain', 'crew.handoff.file', 'crew.qa.loop', 'crew.deploy', 'crew.ladder.log', 'form.log'],
  'a crew delivers: stuck and helped, sent back by qa and passed, released by the bytes a person said go to',
  async () => {
    const cwd = await repositoryProject();
    const env = ownSettings();
    const args = ['crew', 'Add CSV export play=crew', '--mode', 'autopilot', '--yes'];
    const { run } = await asked<Standing>(args, { cwd, env });
    await serveClients(cwd);
    const seen = (op: string) => until(`the entry ${op}`, () => logOf(cwd).some((one) => one.op === op));
    for (const op of ['formation_blocked', 'formation_rung', 'cycle_iterate']) await seen(op);
    await untilStatus(cwd, `${run}-deployer`, 'done');
    const log = logOf(cwd);
    const ofStep = (op: string, step: string) => log.filter((one) => one.op === op && one.task_id === `${run}-${step}`);
    // The phase that said it was stuck waited, no try was used up, and went on with what it asked for.
    expect(ofStep('wait', 'dev')).toHaveLength(1);
    expect(ofStep('fail', 'dev')).toHaveLength(0);
    expect(log.find((one) => one.op === 'formation_rung')?.detail).toMatchObject({ phase: 'dev', rung: 'clarify' });
    // qa failed once, and dev did it again with what qa had said.
    expect(ofStep('fail', 'qa')).toHaveLength(1);
    expect(ofStep('cycle_iterate', 'dev')).toHaveLength(1);
    expect(git(cwd, 'show', 'wg/integration:export.csv')).toContain('"1,5"');
    // A run may not say go, and before a person does nothing is released.
    expect(existsSync(path.join(cwd, 'released.csv'))).toBe(false);
    const shown = await troupe(['formation', 'go', run, '--json'], { cwd, env });
    expect(shown.code).toBe(1);
    const commands =
      'cat export.csv > "$WG_PROJECT_ROOT/released.csv"\necho "out" >> "$WG_PROJECT_ROOT/released.csv"\n';
    expect(JSON.parse(shown.stdout || shown.stderr)).toMatchObject({
      error: { code: 'confirmation_needed', details: { commands } },
    });
    const other = await troupe(['formation', 'go', run, '--seen', sha256('else'), '--json'], { cwd, env });
    expect(other.code).not.toBe(0);
    await asked(['formation', 'go', run, '--seen', sha256(commands)], { cwd, env });
    await untilStatus(cwd, `${run}-release`, 'done');
    expect(textOf(path.join(cwd, 'released.csv'))).toBe('a,b\n"1,5",2\nout\n');
    await seen('formation_end');
    const entry = textOf(path.join(cwd, '.claude/dev-crew/log.md'));
    expect(entry).toContain('- outcome: shipped\n');
    expect(entry).toContain('- escalation: clarify dev in dev: it asks for what is there: f.txt\n');
    expect(entry).toContain('- per-role: architect clean; dev not clean; qa clean; deployer clean\n');
    expect(textOf(path.join(cwd, '.claude/roles/crew.md'))).toMatch(
      /### qa\n(?:- .*\n)*- runs: clean 1, thin 0, cuts 0\n/,
    );
    const { stdout } = await troupe(['formation', 'show', run], { cwd });
    expect(stdout).toContain('shipped');
  },
);
