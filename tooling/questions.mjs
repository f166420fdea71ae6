// Errors that people meet first, each with the reason behind it: docs/reference/questions.md adds sentence and hint from
// the table of codes.
export const QUESTIONS = {
  not_initialized:
    'Commands work on the project around the folder they are typed in, up to the top of its git repository. There is none there yet, or you are in another folder: `--dir` names one.',
  unknown_task:
    'The id of a task is made from the first words of its title, in Latin letters, and is printed when it is added. `--id` sets it. Near misses are named in the message.',
  not_ready:
    'Something it depends on has not ended, its start time has not come, it is paused, or somebody else holds it.',
  wrong_status: 'For instance: a task that is done cannot be claimed. `troupe reopen ID` opens it again.',
  caller_unclear:
    'A person may do more than a run, so Troupe looks at which process asks. While runs are active, a terminal that began after the oldest of them could belong to one.',
  own_work:
    'Work that needs review has to be approved by somebody other than the one who did it. If you are alone, `--actor` names the hat you wear, and the log records your account as well.',
  verify_failed:
    'The command given with `--verify-cmd` did not exit with 0 where the work was done. Its last lines are in the message and in `troupe show ID`.',
  executor_missing: 'The client that the settings name is not on your PATH. `troupe doctor` lists those that are.',
  untrusted_executor:
    'An executor file says what to start. One that came with the repository could start anything, so a person looks at it first.',
  budget_spent:
    'What was spent and what running work has reserved leave too little. Nothing is lost: tasks wait until a run ends, tomorrow, or until you raise it.',
  retries_spent: 'Each task has a number of attempts. `troupe output ID` shows why the last one failed.',
  locked:
    'One process writes at a time. Normally this lasts milliseconds; if it stays, a program that was stopped holds the lock.',
  service_not_running: 'Tasks are recorded without the service; only the service starts them.',
  service_running: 'One service leads a project, so that nothing runs twice. It may run in another terminal.',
  program_replaced: 'The files of Troupe changed below a running process, usually by an update.',
  dirty_tree: 'Landing moves your branch, and would have to overwrite what you have not committed.',
  diverged: 'Your branch has commits that `wg/integration` does not have, so it cannot simply move forward.',
  formation_gate: 'Tasks of a crew, a panel or a sweep start when you accept its line-up, not one by one.',
  unknown_workflow:
    'One word after `troupe run` is the name of a playbook. A goal has at least two words: put it in quotes.',
  no_team: 'Members, charters and the memory need a team; tasks do not.',
  sqlite_missing:
    'Messages are kept in SQLite. Node 22.13 and newer contain it; for Node 20 npm installs a driver, unless optional packages were left out.',
};
