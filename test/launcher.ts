import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ticketOf, writeRunScript } from '#adapters/runs/run-folder.js';
import type { RunPlan } from '#ports/run-host.js';

/** Asks a launcher of its own for one run; returns the line that reports its end. */
export function requestByHand(projectFolder: string, plan: RunPlan): string {
  const agentsFolder = path.join(projectFolder, '.workgraph', 'agents');
  mkdirSync(agentsFolder, { recursive: true });
  const run = path.join(agentsFolder, plan.id);
  const fields = [
    plan.id,
    JSON.stringify(ticketOf(plan as never)).slice(1),
    JSON.stringify({ run: plan.id, task_id: plan.taskId, fence: plan.fence }).slice(0, -1),
    plan.command,
    projectFolder,
    plan.check,
    '0',
    '1',
    `WG_RUN=${run}`,
  ];
  // The launcher's own output is descriptor 3, on which it reports ended runs; a run keeps it open until its end.
  const said = execFileSync(
    'bash',
    [
      '--noprofile',
      '--norc',
      '-c',
      'bash --noprofile --norc "$0" --serve "$1" "$1/ends.jsonl" 3>&1 1>/dev/null',
      writeRunScript(agentsFolder, 'none'),
      agentsFolder,
    ],
    {
      cwd: projectFolder,
      encoding: 'utf8',
      input: fields.map((field) => `${field}\0`).join(''),
      env: { PATH: '/usr/bin:/bin' },
    },
  );
  return said.split('\n').find((line) => line.includes(' ')) ?? '';
}
