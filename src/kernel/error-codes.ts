import { row } from './error-row.js';
import { makeTeamErrorCodes } from './team-error-codes.js';

/** Makes the table of all error codes of Troupe. Codes are stable, because scripts match on them. */
export const makeErrorCodes = () => ({
  // anywhere
  internal: row('Internal error in Troupe.', 'Run it again with TROUPE_DEBUG=1 and report the output.', 500),
  program_replaced: row(
    'Troupe was updated or removed while this process was running.',
    'Run `troupe service restart` if a service is running, then the command again.',
    503,
  ),
  usage: row('The command line is not valid.', 'Run the command with --help.', 400, 2),
  bad_input: row('A value is not valid.', 'Run the command with --help.', 400, 2),
  not_found: row('Not found.', 'Run `troupe list` to see the tasks.', 404),
  too_large: row('The text is too large.', 'Shorten it, or put the text in a file and name the file.', 413),
  disk_full: row('The disk is full: nothing was changed.', 'Free some space, then run the command again.', 507),
  read_only: row('The folder cannot be written: nothing was changed.', 'Check the permissions of the folder.', 403),
  disk_failed: row(
    'The disk cannot be read or written.',
    'Check the system log for the cause, then run it again.',
    507,
  ),
  file_exists: row('The file already exists: nothing was written.', 'Choose another name, or use --force.', 409),
  unreadable: row('A file cannot be read.', 'Check the permissions of the file.', 403),

  // graph
  not_initialized: row('There is no task graph here.', 'Run `troupe init` in the project folder.', 404),
  store_not_empty: row(
    'There is a graph where another was to be put: nothing was changed.',
    'Run `troupe list` there to see it.',
    409,
  ),
  not_in_database: row(
    'The project is kept in files.',
    'Run `troupe database move --to ADDRESS` to keep it in a database.',
    409,
  ),
  database_not_chosen: row(
    'The project is kept in a database, and none was chosen here.',
    'Run `troupe database use ADDRESS`, or set TROUPE_DATABASE_URL and run `troupe database use`.',
    409,
  ),
  blobs_not_chosen: row('No object store is chosen here.', 'Run `troupe config set database.blobs s3://BUCKET`.', 409),
  blobs_away: row('The object store does not answer.', 'Check the network, and AWS_ENDPOINT_URL_S3.', 503),
  blobs_refused: row('The object store refuses this.', 'Check its bucket, its region and its keys.', 502),
  blob_missing: row('The object store lost what a run printed.', 'Restore its bucket, or correct database.blobs.', 404),
  blob_damaged: row('The object store answers with other bytes than were put there.', 'Restore its bucket.', 500),
  storage_retired: row(
    'The project was moved away from here: nothing was changed.',
    'Get the newest .workgraph/config.toml with git, or finish the move with `troupe database move`.',
    409,
  ),
  runs_at_work: row('Runs are in progress: nothing was moved.', 'Run `troupe service stop --kill-agents` first.', 409),
  project_elsewhere: row('The files of the project are on another machine.', 'Run the command there.', 409),
  unknown_task: row('There is no such task.', 'Run `troupe list` to see the tasks.', 404),
  id_taken: row('The id is or was in use by another task.', 'Leave out --id to have one chosen.', 409),
  wrong_status: row('The status of the task does not allow this.', 'Run `troupe show ID`.', 409),
  formation_gate: row('A command of its formation decides this.', 'Run `troupe playbook status`.', 409),
  not_ready: row('The task is not ready.', 'Run `troupe why ID` to see what it waits for.', 409),
  unresolved: row('The task depends on tasks that are not finished.', 'Finish them, or use --force.', 409),
  request_id_reused: row(
    'The id of this request was already used for another one: nothing was changed.',
    'Use a new id for each request, and repeat an id only with the same input.',
    409,
  ),
  stale_attempt: row(
    'This attempt no longer holds the task.',
    'Stop working: another attempt holds the task now.',
    409,
  ),
  not_yours: row(
    'A run may only change the status of its own task.',
    'Leave it to a person or to the coordinator.',
    403,
  ),
  caller_unclear: row(
    'Runs are active, and this may come from one of them.',
    'Use a terminal that was open before they began, or the dashboard in your browser.',
    403,
  ),
  own_work: row(
    'You cannot accept your own work.',
    'Have someone else review it: `--actor NAME` names them; the log records your account too.',
    403,
  ),
  retries_spent: row('The task has no attempts left.', 'A person can run `troupe reopen ID`.', 409),
  nothing_to_resume: row('Nothing is paused or waiting here.', 'Run `troupe list --paused`.', 409),
  deadlock: row(
    'These tasks depend on one another.',
    'Remove a dependency, or limit the cycle with --max-iterations.',
    409,
  ),
  verify_failed: row('The check of the task failed.', 'Fix what it reports, then run `troupe done ID` again.', 409),
  child_limit: row(
    'The run has reached its limit of added tasks.',
    'Do the rest within this task, or log what a person should add.',
    409,
  ),
  depth_limit: row(
    'Tasks added by runs cannot be nested any deeper.',
    'Do it within this task, or log what a person should add.',
    409,
  ),
  still_needed: row('An unfinished task depends on this one.', 'Finish the task named above first.', 409),
  task_running: row('The task is in progress.', 'Wait for it or stop it, then try again.', 409),
  unknown_run: row('There is no such run.', 'Run `troupe replay --list` to see them all.', 404),
  confirmation_needed: row('This changes many tasks at once.', 'Check with --dry-run, then confirm with -y.', 409),
  outside_files: row('This writes files outside .squad/.', 'Name the files in `outside`.', 409),
  corrupt: row(
    'A graph file cannot be parsed.',
    'Fix or remove the line named above; nothing is lost until then.',
    500,
  ),
  newer_format: row(
    'This task graph was written by a later version of Troupe: nothing was changed.',
    'Install the version that wrote it. This version can only read it.',
    409,
  ),
  locked: row(
    'Another process is writing.',
    'Wait, or use `troupe service start --force` or `troupe doctor --repair`.',
    423,
  ),

  // a database that several machines share
  database_server_missing: row(
    'PostgreSQL is not installed on this machine.',
    'Install the server: `apt install postgresql` on Debian and Ubuntu, `brew install postgresql` on macOS.',
    422,
  ),
  database_server_failed: row(
    'PostgreSQL did not start.',
    'See the reason above, and set TMPDIR to another folder if it is the place.',
    500,
  ),
  fleet_failed: row('The fleet did not finish its work.', 'Run it again; TROUPE_DEBUG=1 shows more.', 500),
  database_away: row('The database does not answer.', 'Try again in a moment.', 503),
  database_refused: row('The database refuses this.', 'Ask whoever runs the database.', 403),
  database_read_only: row(
    'The project can only be read through this address: nothing was changed.',
    'Choose the primary server with `troupe database use ADDRESS`.',
    403,
  ),
  database_older: row('The database is of an older version.', 'Bring it up to date.', 409),
  worker_exists: row('A worker has this name already.', 'Choose another name with --name NAME.', 409),
  worker_not_agreed: row(
    'The database is not trusted here to run commands.',
    'Start the worker with `troupe worker start --yes` if you do.',
    403,
  ),
  order_refused: row(
    'An order was not signed by a leader whom this worker knows.',
    'On the machine of the worker: `troupe worker agree` shows the leaders there are.',
    403,
  ),
  leader_key_unusable: row(
    'The key with which this machine signs as a leader cannot be used.',
    'Remove the file: a new key is made, and `troupe worker agree` asks for it at each worker.',
    500,
  ),
  database_unsure: row('It is unknown whether this was done.', 'Repeat it with the same request id.', 504),

  // trace
  bad_trace: row('This is not a trace that can be imported: nothing was written.', 'Export it again.', 422),
  no_terminal: row('This needs a terminal.', 'Use --json to get the data.', 400),

  // evaluations
  bad_evaluation: row(
    'The evaluator did not give a complete score.',
    'Run it again, or score it yourself with `troupe evaluate record`.',
    502,
  ),
  model_required: row(
    'This needs a model, and none is configured.',
    'Score it yourself with `troupe evaluate record`.',
    422,
  ),
  bad_score: row('A score is a number from 0 to 1.', 'Use a number such as 0.85.', 400, 2),
  not_evaluable: row('Only done and failed tasks can be scored.', 'Run `troupe show ID`.', 409),

  // service
  service_running: row('A service is already running for this project.', 'Use it, or run `troupe service stop`.', 409),
  service_silent: row(
    'The service does not answer. The request may still be carried out.',
    'See .workgraph/service/daemon.log; `troupe service stop --force` stops it.',
    504,
  ),
  coordinator_limit: row(
    'The maximum number of sessions is reached.',
    'Archive or delete one: `troupe service coordinators`.',
    409,
  ),
  socket_in_use: row(
    'Another program uses the socket of the service.',
    'Stop that program, or remove the socket named above.',
    409,
  ),
  service_not_running: row('No service is running for this project.', 'Run `troupe service start`.', 409),
  untrusted_graph: row(
    'This task graph comes from another machine, and some of its tasks run commands.',
    'Review them with `troupe trust --show`, then allow them with `troupe trust`.',
    403,
  ),
  untrusted_command: row(
    'Its command comes from elsewhere and is not trusted on this machine.',
    'Review it with `troupe trust --show`, then allow it with `troupe trust`.',
    403,
  ),
  exec_missing: row('The task has no command to run.', 'Run `troupe edit ID --exec COMMAND`.', 422),
  unknown_executor: row('There is no such executor.', 'Run `troupe executor list` to see them all.', 404),
  untrusted_executor: row(
    'This executor of the project is not trusted on this machine.',
    'Review it with `troupe trust executor NAME --show`, then allow it with `troupe trust executor NAME`.',
    403,
  ),
  sandbox_missing: row(
    'The sandbox of runs does not work on this machine.',
    'Install bubblewrap (Linux), or start runs without it: `troupe config set clients.sandbox auto`.',
    422,
  ),
  executor_missing: row(
    'The program of a client is not installed.',
    'Install it, or choose another: `troupe config set coordinator.executor NAME` (`shell` runs commands only).',
    422,
  ),
  setup_failed: row(
    'The setup of a worktree failed.',
    'Correct it with `troupe config set worktree.setup COMMAND`, or remove it with --unset.',
    422,
  ),
  budget_spent: row(
    'The budget does not allow this.',
    'Raise it with `troupe config set budget.usd_per_day AMOUNT`, or wait until a run ends.',
    409,
  ),
  bad_run_token: row(
    'The token does not belong to this run.',
    'Use the environment that the run was started with.',
    403,
  ),
  bad_executor: row(
    'An executor of this project is not valid.',
    'Fix its file in .workgraph/executors as described above.',
    422,
  ),

  // browser and other HTTP callers
  unauthenticated: row(
    'This address requires authentication.',
    'Open the address that `troupe dashboard` prints, or send the bearer token.',
    401,
  ),
  login_code_invalid: row(
    'This one-time link is unknown, used or expired.',
    'Run `troupe dashboard` for a fresh link.',
    401,
  ),
  foreign_host: row('The request is for another host.', 'Use the address that was printed.', 403),
  foreign_origin: row('Another web page tried to use this server.', 'Open the printed address itself.', 403),
  unknown_route: row(
    'Nothing was found at this address.',
    'Open the printed address, or use an operation from `troupe help --all`.',
    404,
  ),
  method_not_allowed: row('This operation does not support this method.', 'Reads use GET, changes use POST.', 405),
  content_type: row('The body is not JSON.', 'Send content-type: application/json.', 415),
  too_many: row('Too many connections.', 'Close a few pages, or try again in a moment.', 429),

  // panels and sweeps
  panel_silent: row(
    'No seat submitted a note.',
    'Retry the task of each seat: `troupe playbook status` lists them.',
    409,
  ),
  hand_in_missing: row('The task has not handed in its file.', 'Run `troupe formation hand-in ID --file FILE`.', 409),
  decision_incomplete: row('The decision is incomplete.', 'Add the missing part.', 409),
  steelman_missing: row('All agree, and no case against it was made.', 'Add a line `Steelman: ran, … retained`.', 409),
  slices_overlap: row('Two slices own the same key.', 'Give each key to one slice.', 422),
  sweep_empty: row('The scouts found nothing usable.', 'See rejected.yaml.', 409),
  unverified: row('Not every entry was checked.', 'Give one verdict for each entry.', 409),

  // repositories
  not_a_repository: row('This folder is not a git repository.', 'Run `git init` there, or name another folder.', 422),
  empty_repository: row(
    'The repository has no commit yet.',
    'Commit something first: there is nothing to review.',
    422,
  ),
  bare_repository: row('This is a bare repository: it has no working files.', 'Use a clone of it.', 422),
  git_missing: row('git is not installed or does not start.', 'Install git, then try again.', 500),
  git_failed: row('The git command failed.', 'Run the git command shown above yourself.', 500),
  unsafe_path: row('A path leaves the workspace or follows a link.', 'Remove the link, or use a path inside.', 422),

  // pictures
  dot_missing: row(
    'Graphviz is not installed: `dot` is not on your PATH.',
    'Install it, for instance with `apt install graphviz` or `brew install graphviz`; `troupe viz --graph` needs nothing.',
    500,
  ),
  dot_failed: row('Graphviz could not draw this.', 'Check its input with `troupe viz --dot`.', 500),
  forge_missing: row('The program of the forge is not installed.', 'Install gh or glab, then sign in with it.', 502),
  forge_sign_in: row('The program of the forge is not signed in.', 'Sign in with it, then try again.', 502),
  forge_failed: row('The forge did not do it.', 'Try again later.', 502),
  by_pull_request: row('Work lands by pull requests here.', 'Run `troupe sync github`.', 409),
  // the internet
  unsafe_url: row('Only public https addresses are fetched.', 'Use one, or put the text in a file here.', 422),
  fetch_failed: row('No text could be fetched from the address.', 'Check the address, or put the text in a file.', 502),
  secret_in_export: row(
    'The export contains what looks like a secret: nothing was exported.',
    'Remove it (`troupe edit ID`) and rotate the secret: it may have been read.',
    422,
  ),
  // worktrees
  unsafe_worktree: row(
    'The worktree path is not safe: nothing was changed.',
    'Remove the link or file at that path.',
    422,
  ),
  branch_in_use: row(
    'A branch that Troupe manages is taken or checked out elsewhere.',
    'Switch the worktree named above to another branch.',
    409,
  ),
  merge_conflict: row(
    'The work of an attempt conflicts with wg/integration.',
    'Resolve the conflict on its branch and approve again, or reject it.',
    409,
  ),
  no_commit: row(
    'The task requires a commit, and there is none.',
    'Commit the work in the worktree, then run `troupe done ID` again.',
    409,
  ),
  dirty_tree: row('Some files are not committed.', 'Commit or stash them, then try again.', 409),
  detached_head: row('No branch is checked out here.', 'Switch to a branch: `git switch NAME`.', 409),
  diverged: row(
    'Your branch and wg/integration have diverged.',
    'Run `git merge wg/integration` yourself: that lands the work too.',
    409,
  ),
  needs_filter: row(
    'Some files pass through a filter of your git configuration.',
    'Run `git merge --ff-only wg/integration` yourself.',
    409,
  ),
  plan_changed: row(
    'The plan has changed since it was shown.',
    'Run the same command again and look at the new plan.',
    409,
  ),
  landing_changed: row(
    'The work to land has changed since it was shown.',
    'Run `troupe worktree land` again and review it.',
    409,
  ),

  // reviews
  unknown_review: row(
    'This project has no such review.',
    'Run `troupe workflow run repository-review` to start one.',
    404,
  ),
  unknown_command: row('The plan of this review has no such command.', 'Choose one from its plan.json.', 404),
  review_incomplete: row(
    'The review is not complete.',
    'Run `troupe review report` again, then `troupe review check`.',
    409,
  ),

  // settings
  bad_config: row(
    'A setting has a value that is not allowed.',
    'Fix it in .workgraph/config.toml or with `troupe config set KEY VALUE`.',
    422,
  ),

  // functions
  unknown_function: row('There is no such function.', 'Run `troupe playbooks --functions` to see them all.', 404),
  function_invalid: row('The function file is not valid.', 'Fix the field named above.', 422),
  function_unsupported: row(
    'This version of Troupe cannot apply the function.',
    'Define fixed `tasks`, and set `static_fallback: true` in `planning`.',
    422,
  ),
  function_exists: row('A function with this name already exists.', 'Choose another --name, or use --force.', 409),
  not_done: row(
    'Functions are extracted from done tasks only.',
    'Finish the tasks named above, or leave them out.',
    409,
  ),
  unknown_peer: row('There is no such remote.', 'Add one with `troupe agency remote add NAME PATH`.', 404),
  bad_model_answer: row('The model did not give a usable answer.', 'Try again, or continue without the model.', 502),
  no_model: row('No model is configured for this.', 'Leave out the flag: everything else works without a model.', 422),

  ...makeTeamErrorCodes(),
});

export type ErrorCode = keyof ReturnType<typeof makeErrorCodes>;
