import { type CodeRow, row } from './error-row.js';

const NEW_TEAM = 'Run `troupe team create`.';
const LOOK = 'Run `troupe show ID`.';

/** Codes about people and messages, the agency, teams and their casting. */
export const TEAM_ERROR_CODES = {
  // people and messages
  notify_unconfigured: row(
    'No way to reach people is set up.',
    'Set notify.smtp or notify.matrix with `troupe config set`.',
    422,
  ),
  notify_failed: row('The message could not be sent.', 'Look at the settings with `troupe config show`.', 502),
  empty_message: row('A message needs a text.', 'Write it after the id of the task.', 400),
  message_too_large: row('The message is too large.', 'Put the text into a file and name the file.', 413),
  inbox_full: row('Nobody has read the messages that are there already.', 'Wait until they are read.', 429),
  unresolved_member: row('Nobody has this name.', 'Look at your roster.', 404),
  routing_refused: row('Your roster does not name them.', 'Look at your roster.', 403),
  routing_unavailable: row('The rosters cannot be read.', 'Run `troupe roster check`.', 503),
  no_listener: row('Who leads nobody only answers.', 'Use `troupe reply` or `troupe escalate`.', 403),
  slot_limit: row('Too many conversations are open.', 'Wait for an answer.', 429),
  paused: row('It is paused.', 'Try again later.', 409),
  team_inactive: row('The team has ended.', 'Run `troupe team list`.', 409),
  conversation_unknown: row('There is no such conversation.', 'Run `troupe messages list`.', 404),
  conversation_closed: row('The conversation is over.', 'Open another with `troupe send`.', 409),
  conversations_open: row('Others have not answered yet.', 'End your turn without a report, or close them.', 409),
  not_a_participant: row('It is between others.', 'Run `troupe messages list`.', 403),
  migration_changed: row(
    'A step that made teams.db is not the one this version knows.',
    'Use the version of Troupe that made it, or move the file away.',
    500,
  ),
  schema_newer: row('teams.db was made by a newer Troupe.', 'Update Troupe: it was not opened.', 409),
  data_corrupt: row('teams.db holds something that cannot be.', 'Restore it from a copy, or move it away.', 500),
  sqlite_missing: row(
    'Messages need SQLite, and this machine has none that Troupe can use.',
    'Use Node 22.13 or newer, or install without --omit=optional.',
    500,
  ),

  // agency
  role_required: row('An agent that is no person needs a role.', 'Say --role; `troupe role list` shows them.', 400),
  tradeoff_required: row(
    'An agent that is no person needs a trade-off.',
    'Say --tradeoff; `troupe tradeoff list` shows them.',
    400,
  ),
  duplicate_entity: row('One with identical content exists.', 'Use the one that is there.', 409),
  ambiguous_id: row('Several have an id that begins so.', 'Say more of the id.', 409),
  terminal_task: row('The task is finished: nobody is assigned to it.', 'Open it again with `troupe reopen ID`.', 409),
  no_candidate: row('Nobody is a match for this task.', 'Look with `troupe match ID`, or make an agent for it.', 409),
  human_required: row('A person decides this.', 'Ask a person to.', 403),
  not_accepted: row('Nobody here has accepted it yet.', 'Run `troupe role trust ID`.', 409),
  missing_dependency: row('What an agent is made of is not there.', 'Name others by their ids.', 409),
  remote_unreachable: row(
    'git cannot read or write the remote.',
    'It has to work without being asked for a password: look with `troupe agency remote show NAME`.',
    502,
  ),
  remote_went_back: row(
    'The remote no longer holds what was last read from it.',
    'Ask whoever keeps it; `--force` takes what is there now.',
    409,
  ),
  remote_moved: row('Somebody else kept pushing meanwhile: nothing was written.', 'Run it again.', 409),
  in_use: row('An agent needs this.', 'Remove the agents that are made of it first.', 409),
  last_entity: row('The last of its kind stays.', 'Add another one first.', 409),

  // roles of a repository
  bad_role_name: row('This is no name for a role.', 'Use a-z, 0-9 and dashes, at most 64, a letter first.', 400),
  role_not_found: row('There is no such role.', 'Run `troupe roles list`.', 404),
  bad_role_file: row('A role file cannot be read.', 'Put it right; `troupe roles check` names every such line.', 409),
  roles_conflict: row('Somebody else kept changing the role file meanwhile.', 'Run it again.', 409),
  not_lane_writer: row(
    'This part of a role file is written by somebody else.',
    'Rows are written by the runs of their lane, core lessons by `troupe roles graduate`.',
    403,
  ),
  protected_path: row(
    'The change touches `.claude/roles/`, which agents do not write.',
    'Leave it out, or ask a person to tag the task: `troupe edit ID --add-tag edits-roles`.',
    403,
  ),

  user_only: row('Only a person decides this.', 'Say in the log of your task why it is needed.', 403),
  candidate_stale: row('What was looked at is not there any more.', 'Run `troupe roles candidates` again.', 409),
  input_changed: row(
    'What the stage before handed on was changed since.',
    'Put it back as it was, or let the next stage be proposed again.',
    409,
  ),
  proposal_stale: row(
    'The role was changed meanwhile.',
    'Look at it with `troupe roles show`, then propose again.',
    409,
  ),

  // rosters
  config_not_found: row(
    'There is no configuration of rosters here.',
    'Name its folder with --home: the `.teaparty` that holds teaparty.yaml.',
    404,
  ),
  config_invalid: row('A configuration file is not understood.', 'Mend the file where it says.', 422),
  workgroup_ref_not_found: row(
    'A workgroup that is referred to is nowhere.',
    'Add the file, or take the reference out.',
    422,
  ),
  agent_unknown: row('Nobody in the configuration has this id.', 'Run `troupe roster check` to see all ids.', 404),

  // teams
  leader_required: row('A team needs a leader.', 'Say --leader NAME.', 409),
  leader_exists: row('The team has a leader.', 'Add a member.', 409),
  name_taken: row('The name is taken.', 'Choose another.', 409),
  cast_team: row('The team was cast.', 'See `troupe help Team`.', 409),
  team_disbanded: row('The team was disbanded.', NEW_TEAM, 409),
  team_archived: row('The team is archived.', NEW_TEAM, 409),
  team_transition: row('The team has ended.', NEW_TEAM, 409),
  team_busy: row('The team is at work.', 'Wait until it is done, or stop its work with --stop.', 409),
  not_assignee: row('Somebody else holds the task.', LOOK, 403),
  artifact_too_large: row('The deliverable is too large.', 'Submit a text with its path.', 413),
  artifact_corrupt: row('The deliverable is damaged.', 'Submit it again.', 500),
  plan_required: row('The task needs a plan first.', LOOK, 409),
  plan_decided: row('The plan was decided already.', LOOK, 409),
  not_waiting_review: row('The task waits for no review.', LOOK, 409),

  // casting
  unknown_archetype: row('The catalog has no such archetype.', 'Run `troupe cast archetypes`.', 400),
  unknown_grouping: row('The catalog has no such grouping.', 'Run `troupe cast scenarios` to see them.', 404),
  unknown_workflow: row('There is no such workflow.', 'Run `troupe workflow list` to see them.', 404),
  universe_invalid: row('This universe is not allowed here.', 'Run `troupe cast universes`.', 400),
  universe_fixed: row('A team keeps its universe.', 'Leave out --universe, or recast.', 422),
  policy_invalid: row(
    'The casting policy allows nothing.',
    'Put a universe into allowlistUniverses in .squad/casting/policy.json.',
    422,
  ),
  name_invalid: row('A member name has the wrong form.', 'Use letters, digits, - and _, at most 64.', 422),
  no_proposal: row('There is no open proposal.', 'Run `troupe cast analyze` to make one.', 404),
  no_team: row('This project has no team yet.', 'Run `troupe cast analyze`, then `troupe cast confirm`.', 404),
  intent_mismatch: row(
    'The proposal was made for another intent.',
    'Leave out --intent, or propose again with the intent you want.',
    409,
  ),
  proposal_superseded: row(
    'A newer proposal has taken the place of this one.',
    'Run `troupe cast show` to see it.',
    409,
  ),
  bad_request: row('The request has the wrong form.', 'Correct the field named above.', 400, 2),
  forbidden: row('Who only looks may not change anything.', 'Ask with the token of who may.', 403),
  proposal_changed: row('The proposal was changed meanwhile.', 'Run `troupe cast show` and decide again.', 409),
  builtin_member: row('This member is built in.', 'Built-in members are as they are shipped.', 422),
  name_clash: row(
    'Two members of the registry have the same name.',
    'Run `troupe squad check` to see their events, then `troupe member rename EVENT NEW`.',
    409,
  ),
  migration_required: row(
    'The casting state is in the form of another tool.',
    'Run `troupe squad migrate`; with --dry-run it only says what it would do.',
    409,
  ),
  leader_needed: row('The team would have no leader.', 'Say who leads now with --leader NAME.', 409),
  marker_unpaired: row(
    'The block of Troupe in a file has lost its beginning or its end.',
    'Put both lines back, or take out what is left of the block.',
    409,
  ),
  not_text: row('A file is not UTF-8 text.', 'Save it as UTF-8, then try again.', 422),
  requires_choice: row('This project already has a team.', 'Say --intent new, augment or recast.', 409),
  intent_invalid: row('This intent is unknown.', 'Use new, augment or recast.', 400, 2),
  team_changed: row('The team changed after this proposal was made.', 'Run the proposal again.', 409),
  charter_emoji: row('A charter holds an emoji.', 'Remove it: charters are plain text.', 422),
  charter_hidden_text: row('A charter holds invisible characters.', 'Remove them.', 422),
  catalog_invalid: row('A catalog file is not valid.', 'Correct the field named above.', 422),
  layout_conflict: row(
    'Two casting states disagree.',
    'Look at both, then run `troupe squad migrate --keep canonical` or `--keep flat`.',
    409,
  ),
  memory_settled: row('That was settled before.', 'Run `troupe decision list` and `troupe decision inbox`.', 409),
  session_open: row('A session of the team is open.', 'End it with `troupe session change --end`.', 409),
  memory_full: row('The team remembers as much as it may.', 'Archive decisions, or settle what is in the inbox.', 409),
  nothing_to_sync: row('Nothing in .squad differs from the last commit.', 'Change the team first.', 400),
  sync_unavailable: row('The team cannot be committed now.', 'Do what the message names, then try again.', 409),
  sync_state_changed: row(
    'What would be committed is not what was looked at.',
    'Run `troupe squad sync` again and look at it.',
    409,
  ),
  workflow_invalid: row('The workflow is not valid.', 'Correct the field named above.', 422),
  blueprint_generation_failed: row(
    'The model made no blueprint.',
    'Try again, say it in other words, or use --offline: then words choose.',
    422,
  ),
  invalid_blueprint: row('The blueprint is not valid.', 'Run `troupe blueprint validate` for all that is wrong.', 422),
  workflow_not_allowed: row(
    'The project does not allow this workflow.',
    'Run it this once with --override, or add it to allowed_workflows in .squad/config.json.',
    409,
  ),
  handoff_denied: row(
    'A phase of a crew may not begin with what was handed on.',
    'Run `troupe formation show` to see where its run stands.',
    409,
  ),
  handoff_unreadable: row(
    'The handoffs of a run cannot be judged: that counts as a denial.',
    'Put the file named above in order.',
    422,
    2,
  ),
  workflow_unsupported: row('This workflow cannot become tasks.', 'Draw the branch named above in another way.', 422),
} as const satisfies Record<string, CodeRow>;
