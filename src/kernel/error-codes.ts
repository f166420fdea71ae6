import { type CodeRow, row } from './error-row.js';
import { TEAM_ERROR_CODES } from './team-error-codes.js';

/** Every code Troupe can answer with. Codes are stable: scripts match on them. */
export const ERROR_CODES = {
  // anywhere
  internal: row('Something inside Troupe went wrong.', 'Run again with TROUPE_DEBUG=1 and report what it prints.', 500),
  usage: row('The words of this command are not understood.', 'Run the command with --help.', 400, 2),
  bad_input: row('A value has the wrong form.', 'Run the command with --help.', 400, 2),
  not_found: row('There is no such thing.', 'Run `troupe list` to see what there is.', 404),
  too_large: row('The text is larger than Troupe keeps.', 'Put the text into a file and name the file.', 413),
  disk_full: row('The disk is full: nothing was changed.', 'Free some space and run the command again.', 507),
  read_only: row('The folder cannot be written: nothing was changed.', 'Check the permissions of the folder.', 403),
  disk_failed: row('The disk refuses to read or write.', 'The log of the system says why; then run it again.', 507),
  file_exists: row('There is a file already: nothing was written.', 'Name another, or say --force.', 409),
  unreadable: row('A file cannot be read.', 'Check the permissions of the file.', 403),

  // graph
  not_initialized: row('There is no task graph here.', 'Run `troupe init` in the project folder.', 404),
  unknown_task: row('There is no such task.', 'Run `troupe list` to see the tasks.', 404),
  id_taken: row('A task with this id exists or existed.', 'Leave out --id and Troupe picks one.', 409),
  wrong_status: row('The task is not in a status that allows this.', 'Run `troupe show ID`.', 409),
  not_ready: row('The task is not ready.', 'Run `troupe show ID` to see what it waits for.', 409),
  unresolved: row('The task depends on tasks that are not finished.', 'Finish them, or use --force.', 409),
  stale_attempt: row('This attempt no longer holds the task.', 'Stop: another attempt has taken over.', 409),
  not_yours: row('A run may only move its own task.', 'Ask the person or the coordinator.', 403),
  caller_unclear: row(
    'Runs are at work, and it cannot be told whether a person asks or one of them.',
    'Type it in a terminal: there you are asked.',
    403,
  ),
  own_work: row(
    'Nobody accepts their own work.',
    'Let somebody else look at it: `--actor NAME` says who; the log keeps whose account it was.',
    403,
  ),
  retries_spent: row('The task was tried as often as it may.', 'A person can run `troupe reopen ID`.', 409),
  nothing_to_resume: row('Nothing is paused or waiting here.', 'Run `troupe list --paused`.', 409),
  deadlock: row(
    'These tasks wait for one another.',
    'Remove a dependency, or bound the cycle with --max-iterations.',
    409,
  ),
  verify_failed: row(
    'The check of the task does not pass.',
    'Mend what it says, then run `troupe done ID` again.',
    409,
  ),
  child_limit: row(
    'A run may add only so many tasks.',
    'Do the rest within this task, or say in its log what is left for a person to add.',
    409,
  ),
  depth_limit: row(
    'Tasks that runs add are nested only so deep.',
    'Do it within this task, or say in its log what is left for a person to add.',
    409,
  ),
  still_needed: row('Something that is not finished depends on this task.', 'Finish what is named above first.', 409),
  task_running: row('A task is being worked on.', 'Wait for it, or stop it; then try again.', 409),
  unknown_run: row('There is no such run.', 'Run `troupe runs list` to see what there is.', 404),
  confirmation_needed: row('This changes many tasks at once.', 'Look with --dry-run, then say -y.', 409),
  outside_files: row('This writes outside of .squad/ what nobody expects.', 'Say in `outside` which files.', 409),
  corrupt: row('A file of the graph cannot be understood.', 'The line named above is kept; repair or remove it.', 500),
  newer_format: row(
    'This task graph was written by a later version of Troupe: nothing was changed.',
    'Install the version that wrote it. Reading works, as far as this version understands it.',
    409,
  ),
  locked: row('Another process is writing.', 'Wait; or `troupe service start --force`, `troupe doctor --repair`.', 423),

  // trace
  bad_trace: row('This file is no trace that Troupe can take in: nothing was written.', 'Export it again.', 422),
  no_terminal: row('This needs a terminal to be shown on.', 'Add --json to get the frames as data.', 400),

  // evaluations
  bad_evaluation: row(
    'The evaluator gave no complete judgement.',
    'Run it again, or score it yourself with `troupe evaluate record`.',
    502,
  ),
  model_required: row('This needs a model, and none is set.', 'Score it yourself with `troupe evaluate record`.', 422),
  bad_score: row('A score is a number from 0 to 1.', 'Say one such as 0.85.', 400, 2),
  not_evaluable: row('Only what was done or has failed is scored.', 'Run `troupe show ID`.', 409),

  // service
  service_running: row('A service is already running for this project.', 'Use it, or run `troupe service stop`.', 409),
  service_silent: row(
    'The service does not answer. What it was asked for may still happen.',
    'Look at .workgraph/service/daemon.log; `troupe service stop --force` ends it.',
    504,
  ),
  coordinator_limit: row(
    'There are as many sessions as there may be.',
    'Archive or delete one: `troupe service list-coordinators`.',
    409,
  ),
  socket_in_use: row(
    'Another program answers where the service would.',
    'End that program, or remove the socket that is named above.',
    409,
  ),
  service_not_running: row('No service is running for this project.', 'Run `troupe service start`.', 409),
  untrusted_graph: row(
    'This task graph was not made on this machine, and some of its tasks hold commands.',
    'Look at them with `troupe list` and `troupe trust --show`; then let them run with `troupe trust`.',
    403,
  ),
  untrusted_command: row(
    'Its command came from elsewhere, and nobody on this machine has agreed to it.',
    'Look at it with `troupe trust --show`; then let it run with `troupe trust`.',
    403,
  ),
  exec_missing: row('The task has no command to run.', 'Run `troupe edit ID --exec COMMAND`.', 422),
  unknown_executor: row('There is no such executor.', 'Run `troupe executor list` to see which there are.', 404),
  untrusted_executor: row(
    'This executor of the project is trusted by nobody on this machine.',
    'Look at it with `troupe executor trust NAME --show`; then let it be used with `troupe executor trust NAME`.',
    403,
  ),
  executor_missing: row(
    'The program of a client is not installed.',
    'Install it, or name another one: `troupe config set coordinator.executor NAME`; `shell` runs commands only.',
    422,
  ),
  budget_spent: row(
    'The budget does not allow this.',
    'Raise it with `troupe config set budget.usd_per_day AMOUNT`, or wait until a run has ended.',
    409,
  ),
  bad_run_token: row('This is not the run it says it is.', 'Use the environment the run was started with.', 403),
  bad_executor: row(
    'An executor of this project is not valid.',
    'Correct what is named above in its file below .workgraph/executors.',
    422,
  ),

  // browser and other HTTP callers
  unauthenticated: row(
    'This address asks who you are.',
    'Open the address that `troupe dashboard` prints, or send the bearer token.',
    401,
  ),
  login_code_invalid: row(
    'This one-time link is unknown, used or too old.',
    'Run `troupe dashboard` for a fresh link.',
    401,
  ),
  foreign_host: row('The request names a host that is not this server.', 'Use the printed 127.0.0.1 address.', 403),
  foreign_origin: row('Another web page tried to use this server.', 'Open the printed address itself.', 403),
  unknown_route: row(
    'There is nothing at this address.',
    'Open the printed address, or ask for an operation of `troupe help --all`.',
    404,
  ),
  method_not_allowed: row('This operation is not asked with this method.', 'Reads use GET, changes use POST.', 405),
  content_type: row('The body is not JSON.', 'Send content-type: application/json.', 415),
  too_many: row('Too many at once.', 'Close a few pages, or try again in a moment.', 429),

  // panels and sweeps
  panel_silent: row('No seat handed in a note.', 'Run `troupe retry ID` for the seats.', 409),
  decision_incomplete: row('The decision leaves something out.', 'Write the missing part.', 409),
  steelman_missing: row('All agree, and nobody argued against it.', 'Add `Steelman: ran, … retained` to it.', 409),
  slices_overlap: row('Two slices own the same key.', 'Give each key to one slice.', 422),
  sweep_empty: row('The scouts brought nothing of use.', 'Look at rejected.yaml.', 409),
  unverified: row('Entries were not checked.', 'Write one verdict for each.', 409),

  // repositories
  not_a_repository: row('This folder is not a git repository.', 'Run `git init` there, or name another folder.', 422),
  empty_repository: row(
    'The repository has no commit yet.',
    'Commit something first: there is nothing to review.',
    422,
  ),
  bare_repository: row('This repository is bare: it has no files to work on.', 'Name a clone of it.', 422),
  git_missing: row('git is not installed or cannot be started.', 'Install git and try again.', 500),
  git_failed: row('git refused.', 'Run the git command named above yourself.', 500),
  unsafe_path: row(
    'A path leaves the workspace or goes through a link.',
    'Remove the link, or name a path inside.',
    422,
  ),

  // pictures
  dot_missing: row(
    'Graphviz is not installed: there is no program `dot` to draw with.',
    'Install it, for instance with `apt install graphviz` or `brew install graphviz`; `troupe viz --graph` needs nothing.',
    500,
  ),
  dot_failed: row('Graphviz could not draw this.', 'Look at what it is given with `troupe viz --dot`.', 500),
  // the internet
  unsafe_url: row(
    'Only public addresses are asked, and only over https.',
    'Name a public https address, or put the text into a file of the project.',
    422,
  ),
  fetch_failed: row('An address gave no text.', 'Look at the address yourself, or put the text into a file.', 502),
  secret_in_export: row(
    'What would leave holds what looks like a secret: nothing was exported.',
    'Take it out where it stands (`troupe edit ID`), and change the secret: others may have read it.',
    422,
  ),
  // worktrees
  unsafe_worktree: row(
    'The place of a worktree is not safe: nothing was changed.',
    'Remove the link or whatever else lies in .workgraph/worktrees where the worktree belongs.',
    422,
  ),
  branch_in_use: row(
    'A branch that Troupe keeps is in the way or checked out elsewhere.',
    'Switch the worktree named above to another branch.',
    409,
  ),
  merge_conflict: row(
    'The work of an attempt does not fit into wg/integration.',
    'Mend it on its branch and approve again, or reject it.',
    409,
  ),
  no_commit: row(
    'The task has to be committed, and nothing was.',
    'Commit the work in the worktree, then run `troupe done ID` again.',
    409,
  ),
  dirty_tree: row('Some files are not committed.', 'Commit or stash them, then try again.', 409),
  detached_head: row('No branch is checked out here.', 'Switch to a branch: `git switch NAME`.', 409),
  diverged: row(
    'Your branch and wg/integration have both gone on.',
    'Run `git merge wg/integration` yourself: that takes the work over too.',
    409,
  ),
  needs_filter: row(
    'Some files pass through a filter of your git configuration.',
    'Run `git merge --ff-only wg/integration` yourself.',
    409,
  ),
  landing_changed: row(
    'What waits to be landed is no longer what was shown.',
    'Run `troupe worktree land` again and look at it.',
    409,
  ),

  // reviews
  unknown_review: row(
    'There is no such review in this project.',
    'Run `troupe workflow run repository-review` to begin one.',
    404,
  ),
  unknown_command: row('This review has no such command.', 'Name one of those in its plan.json.', 404),
  review_incomplete: row(
    'The review is not complete.',
    'Run `troupe review report` again, then `troupe review check`.',
    409,
  ),

  // settings
  bad_config: row(
    'A setting has a value that is not allowed.',
    'Correct it in .workgraph/config.toml, or with `troupe config set KEY VALUE`.',
    422,
  ),

  // functions
  unknown_function: row('There is no such function.', 'Run `troupe func list` to see what there is.', 404),
  function_invalid: row('The function file is not valid.', 'Correct the field named above.', 422),
  function_unsupported: row(
    'This version of Troupe cannot apply the function.',
    'Give it fixed tasks: `tasks`, and `static_fallback: true` in `planning`.',
    422,
  ),
  function_exists: row('There is a function of this name already.', 'Choose another --name, or say --force.', 409),
  not_done: row(
    'A function is extracted from done tasks only.',
    'Finish the tasks named above, or leave them out.',
    409,
  ),
  unknown_peer: row('There is no such peer.', 'Name one with `troupe agency remote add NAME PATH`.', 404),
  bad_model_answer: row('The model gave no answer that can be used.', 'Try again, or do without the model.', 502),
  no_model: row(
    'No model is configured to do this.',
    'Leave the flag out: everything else works without a model.',
    422,
  ),

  ...TEAM_ERROR_CODES,
} as const satisfies Record<string, CodeRow>;

export type ErrorCode = keyof typeof ERROR_CODES;
