import { TroupeError } from '#kernel/errors.js';
import type { Executor } from './plan.js';
import { checkPlan } from './plan.js';
import { plainReader } from './reader.js';

/** Runs the command of the task exactly as written; nothing is inserted into it. */
export const shell: Executor = {
  name: 'shell',
  sessions: 'none',
  capsItself: false,
  silentEnd: 'done',
  reports: { by: 'commands' },
  commits: 'shell',
  human: false,
  actsOn: [],
  rules: [],
  install: 'Install bash.',
  prepare(plan) {
    checkPlan(plan);
    if (plan.exec === undefined || plan.exec.trim() === '') {
      throw new TroupeError('exec_missing', {
        what: `${plan.taskId} has no command to run.`,
        details: { id: plan.taskId },
      });
    }
    return {
      program: 'bash',
      args: ['-c', plan.exec],
      environment: {},
      passes: [],
      folder: plan.folder,
      stdin: '',
      files: [],
      resume: false,
    };
  },
  reader: plainReader,
};
