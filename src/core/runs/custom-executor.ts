import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { checkPlan } from './checked-plan.js';
import type { CustomDefinition } from './custom-executor-file.js';
import { EXECUTORS } from './executor-table.js';
import { plainReader } from './plain.js';
import type { Executor, ExecutorPlan } from './plan.js';
import { expand } from './template.js';

/** Words by which clients are told to ask nobody and check nothing. */
const BYPASS = /yolo|dangerously|bypasspermissions|danger-full-access|--allow-all|--auto-approve/i;

/**
 * An executor that a file of the project defines. Whoever calls this has made sure that a person trusts that very file.
 * Its command and folder stand in the file; what the task says reaches arguments, environment and prompt as whole values.
 */
export function customExecutor(definition: CustomDefinition): Executor {
  const { name } = definition;
  return {
    name,
    sessions: 'none',
    silentEnd: definition.silentEnd,
    reports: { by: 'commands' },
    commits: 'shell',
    human: definition.human,
    actsOn: definition.stream === undefined ? [] : EXECUTORS[definition.stream].actsOn,
    rules: definition.stream === undefined ? [['AGENTS.md', 'CLAUDE.md']] : EXECUTORS[definition.stream].rules,
    install: `The file .workgraph/executors/${name}.toml names it as its command.`,
    prepare(plan) {
      const named = { ...plan, model: plan.model ?? definition.model };
      checkPlan(named);
      if (!plan.allowUnsafe) refuseBypass(definition);
      const values = valuesOf(named);
      const into = (text: string) => argument(name, expand(text, values));
      return {
        program: definition.command,
        args: definition.args.map(into),
        environment: Object.fromEntries(Object.entries(definition.env).map(([key, text]) => [key, into(text)])),
        passes: [],
        folder: folderOf(definition, plan, values),
        stdin: definition.template === undefined ? plan.prompt : expand(definition.template, values),
        files: [],
        resume: false,
      };
    },
    reader: (before) => (definition.stream === undefined ? plainReader() : EXECUTORS[definition.stream].reader(before)),
  };
}

function valuesOf(plan: ExecutorPlan): Record<string, string> {
  const { values = {} } = plan;
  return {
    task_id: plan.taskId,
    task_title: values.task_title ?? '',
    task_description: values.task_description ?? '',
    task_context: values.task_context ?? '',
    task_identity: values.task_identity ?? '',
    task_loop_info: values.task_loop_info ?? '',
    skills_preamble: values.skills_preamble ?? '',
    working_dir: plan.folder,
    model: plan.model ?? '',
  };
}

/** The system takes no longer ones, and would say so in words nobody understands. */
function argument(name: string, value: string): string {
  if (Buffer.byteLength(value) <= LIMITS.executorArgumentBytes) return value;
  throw new TroupeError('too_large', {
    what: `An argument of the executor ${name} would have more than ${LIMITS.executorArgumentBytes} bytes.`,
    hint: 'Use the long variables in the prompt template: the prompt travels by standard input.',
  });
}

function folderOf({ name, workingDir }: CustomDefinition, plan: ExecutorPlan, values: Record<string, string>): string {
  if (workingDir === undefined) return plan.folder;
  const folder = path.resolve(plan.folder, expand(workingDir, values));
  if (isWithin(plan.folder, folder) || isWithin(plan.project, folder)) return folder;
  throw new TroupeError('bad_executor', {
    what: `${name}: working_dir leads out of the project.`,
    hint: 'Name a folder within the project.',
  });
}

function isWithin(top: string, folder: string): boolean {
  const relative = path.relative(top, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function refuseBypass({ name, command, args, env }: CustomDefinition): void {
  const found = [command, ...args, ...Object.values(env)].find((word) => BYPASS.test(word));
  if (found === undefined) return;
  throw new TroupeError('bad_executor', {
    what: `${name}: ${JSON.stringify(found.slice(0, 80))} would start a client with its permission checks off.`,
    hint: 'Take it out; or set allow_unsafe in your own configuration, outside of the project.',
  });
}
