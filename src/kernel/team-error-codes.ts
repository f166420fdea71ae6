import { row } from './error-row.js';

const NEW_TEAM = 'Run `troupe team create NAME --leader NAME`.';
const LOOK = 'Run `troupe show ID`.';

/** Error codes about people and messages, the agency, teams and casting. */
export const makeTeamErrorCodes = () => ({
  // people and messages
  notify_unconfigured: row(
    'No way to notify people is configured.',
    'Run `troupe config set notify.smtp.host HOST`, or set notify.matrix.homeserver.',
    422,
  ),
  notify_failed: row('The message could not be sent.', 'Check the settings with `troupe config show`.', 502),
  empty_message: row('The message is empty.', 'Add the text.', 400),
  message_too_large: row('The message is too large.', 'Put the text in a file and name the file.', 413),
  inbox_full: row('Too many messages are unread.', 'Wait until some are read.', 429),
  unresolved_member: row('No one has this name.', 'Check your roster.', 404),
  routing_refused: row(
    'They are not in your roster.',
    'Run `troupe roster show`: it lists who may write to whom.',
    403,
  ),
  routing_unavailable: row('The rosters cannot be read.', 'Run `troupe roster show`.', 503),
  no_listener: row(
    'Only leads may open conversations.',
    'Use `troupe reply CONVERSATION_ID MESSAGE` or `troupe escalate QUESTION`.',
    403,
  ),
  slot_limit: row('Too many conversations are open.', 'Wait for an answer.', 429),
  paused: row('The recipient is paused.', 'Try again later.', 409),
  team_inactive: row('The team has ended.', 'Run `troupe team list`.', 409),
  conversation_unknown: row('There is no such conversation.', 'Run `troupe msg list`.', 404),
  conversation_closed: row('The conversation is closed.', 'Start another with `troupe send MEMBER MESSAGE`.', 409),
  conversations_open: row(
    'Some conversations have no answer yet.',
    'End your turn without reporting, or close them.',
    409,
  ),
  not_a_participant: row('You are not part of this conversation.', 'Run `troupe msg list`.', 403),
  migration_changed: row(
    'teams.db was created by a different migration.',
    'Use the version of Troupe that created it.',
    500,
  ),
  schema_newer: row(
    'teams.db was created by a newer version of Troupe.',
    'Update Troupe. The file was not opened.',
    409,
  ),
  data_corrupt: row(
    'teams.db contains invalid data.',
    'Run `troupe doctor`: it says whether there is a copy to restore.',
    500,
  ),
  sqlite_missing: row(
    'Messages need SQLite, which is not available here.',
    'Use Node 22.13 or newer, or install without --omit=optional.',
    500,
  ),

  // agency
  role_required: row(
    'An agent needs a role, unless it is a person.',
    'Add --role; `troupe agency list role` shows the roles.',
    400,
  ),
  tradeoff_required: row(
    'An agent needs a trade-off, unless it is a person.',
    'Add --tradeoff; `troupe agency list tradeoff` shows the trade-offs.',
    400,
  ),
  duplicate_entity: row('An entry with identical content exists.', 'Use the existing one.', 409),
  ambiguous_id: row('The id prefix is ambiguous.', 'Use more characters of the id.', 409),
  terminal_task: row('The task is finished and cannot be assigned.', 'Reopen it with `troupe reopen ID`.', 409),
  no_candidate: row(
    'No agent matches this task.',
    'Check with `troupe assign ID --list`, or create an agent for it.',
    409,
  ),
  human_required: row('Only a person can decide this.', 'Ask a person to do it.', 403),
  not_accepted: row('It has not been accepted here yet.', 'Run `troupe agency list`.', 409),
  missing_dependency: row('A part of the agent is missing.', 'Use the ids of other parts.', 409),
  remote_unreachable: row(
    'git cannot read or write the remote.',
    'Access must work without a password prompt: check with `troupe agency remote show NAME`.',
    502,
  ),
  remote_went_back: row(
    'The history of the remote was rewritten.',
    'Ask its owner; `--force` accepts what is there now.',
    409,
  ),
  remote_moved: row('Other pushes kept arriving: nothing was written.', 'Run it again.', 409),
  in_use: row('An agent uses this.', 'Remove the agents that use it first.', 409),
  last_entity: row('The last one cannot be removed.', 'Add another one first.', 409),

  // roles of a repository
  bad_role_name: row(
    'This is not a valid role name.',
    'Use a-z, 0-9 and dashes, at most 64, starting with a letter.',
    400,
  ),
  role_not_found: row('There is no such role.', 'Run `troupe roles show`.', 404),
  bad_role_file: row('A role file cannot be read.', 'Fix it; `troupe roles check` lists every such line.', 409),
  roles_conflict: row('The role file kept changing meanwhile.', 'Run it again.', 409),
  not_lane_writer: row(
    'This part of a role file is not yours to write.',
    'Rows are written by the runs of their lane, core lessons by a person: `troupe roles graduate --candidates` lists them.',
    403,
  ),
  protected_path: row(
    'The change touches `.claude/roles/`, which agents may not write.',
    'Undo it, or ask a person to tag the task: `troupe edit ID --add-tag edits-roles`.',
    403,
  ),

  user_only: row('Only a person can decide this.', 'Log in your task why it is needed.', 403),
  candidate_stale: row('What was shown has changed.', 'Run `troupe roles graduate --candidates` again.', 409),
  input_changed: row(
    'The output of the previous stage has changed.',
    'Restore it, or propose the next stage again.',
    409,
  ),
  proposal_stale: row(
    'The role was changed meanwhile.',
    'Check it with `troupe roles show NAME`, then propose again.',
    409,
  ),

  // rosters
  config_not_found: row(
    'There is no roster configuration here.',
    'Name its folder with --home: the `.teaparty` with teaparty.yaml.',
    404,
  ),
  config_invalid: row('A configuration file is not valid.', 'Fix the file at that place.', 422),
  workgroup_ref_not_found: row('A referenced workgroup does not exist.', 'Add the file, or remove the reference.', 422),
  agent_unknown: row('No one in the configuration has this id.', 'Run `troupe roster show` to see all ids.', 404),

  // teams
  leader_required: row('A team needs a leader.', 'Add --leader NAME.', 409),
  leader_exists: row('The team already has a leader.', 'Add them as a member.', 409),
  name_taken: row('The name is taken.', 'Choose another name.', 409),
  cast_team: row('This team was cast.', 'See `troupe help members`: those commands change it.', 409),
  team_disbanded: row('The team was disbanded.', NEW_TEAM, 409),
  team_archived: row('The team is archived.', NEW_TEAM, 409),
  team_transition: row('The team has ended.', NEW_TEAM, 409),
  team_busy: row('The team has running work.', 'Wait until it is finished, or stop it with --stop.', 409),
  not_taken: row('No member of the team has taken the task.', 'Run `troupe team tasks TEAM`.', 409),
  not_assignee: row('Someone else holds the task.', LOOK, 403),
  artifact_too_large: row('The deliverable is too large.', 'Submit a text that names its path.', 413),
  artifact_corrupt: row('The deliverable is damaged.', 'Submit it again.', 500),
  plan_required: row('The task needs a plan first.', LOOK, 409),
  plan_decided: row('The plan has already been decided.', LOOK, 409),
  not_waiting_review: row('The task does not need a review.', LOOK, 409),

  // casting
  unknown_archetype: row('The catalog has no such archetype.', 'Run `troupe catalog show archetypes`.', 400),
  unknown_grouping: row('The catalog has no such grouping.', 'Run `troupe catalog show groupings` to see them.', 404),
  unknown_workflow: row('There is no such workflow.', 'Run `troupe playbooks` to see them.', 404),
  universe_invalid: row('This universe is not allowed in this project.', 'Run `troupe catalog show universes`.', 400),
  universe_fixed: row('A team keeps its universe.', 'Leave out --universe, or recast.', 422),
  policy_invalid: row(
    'The casting policy allows no universe.',
    'Add a universe to allowlistUniverses in .squad/casting/policy.json.',
    422,
  ),
  name_invalid: row('The member name is not valid.', 'Use letters, digits, - and _, at most 64.', 422),
  no_proposal: row('There is no pending proposal.', 'Run `troupe cast propose` to create one.', 404),
  no_team: row('This project has no team yet.', 'Run `troupe cast propose`, then `troupe cast confirm`.', 404),
  intent_mismatch: row(
    'The proposal was made for another intent.',
    'Leave out --intent, or propose again with that intent.',
    409,
  ),
  proposal_superseded: row('A newer proposal replaced this one.', 'Run `troupe cast show` to see it.', 409),
  bad_request: row('The request is not valid.', 'Fix the field named above.', 400, 2),
  forbidden: row(
    'The scope of this token does not permit this.',
    'Use a token of the scope that is named: `troupe token add --help`.',
    403,
  ),
  token_ended: row('The token has expired.', 'Make another with `troupe token add NAME`.', 401),
  token_exists: row('There is a token of this name.', 'Choose another name, or revoke that one first.', 409),
  unknown_token: row('There is no such token.', 'Run `troupe token list`.', 404),
  too_many_tries: row('Too many wrong secrets came from this address.', 'Wait a minute, then use the right one.', 429),
  listen_refused: row(
    'The service cannot listen at this address.',
    'Use an address of this machine, and for others than its own loopback --tls-cert and --tls-key.',
    400,
  ),
  certificate_unusable: row(
    'The certificate or its key cannot be used.',
    'Name a certificate in PEM format and its key, a file that only you can read (`chmod 600`).',
    400,
  ),
  proposal_changed: row('The proposal has changed meanwhile.', 'Run `troupe cast show` and decide again.', 409),
  builtin_member: row('This member is built-in.', 'Built-in members cannot be changed.', 422),
  name_clash: row(
    'Two members of the registry have the same name.',
    'Find their events with `troupe squad check`, then run `troupe member edit EVENT --name NEW`.',
    409,
  ),
  migration_required: row(
    'The casting state is in the format of another tool.',
    'Run `troupe squad migrate`; --dry-run shows what it would do.',
    409,
  ),
  leader_needed: row('The team would have no leader.', 'Name the new leader with --leader NAME.', 409),
  marker_unpaired: row(
    'The managed block in a file has lost a marker.',
    'Restore both marker lines, or remove the rest of the block.',
    409,
  ),
  not_text: row('A file is not UTF-8 text.', 'Save it as UTF-8, then try again.', 422),
  goal_unclear: row(
    'The words of the goal do not say clearly enough what kind of work it is.',
    'Choose a group with `troupe catalog show groupings`.',
    422,
  ),
  requires_choice: row('This project already has a team.', 'Use --intent new, augment or recast.', 409),
  intent_invalid: row('This intent is unknown.', 'Use new, augment or recast.', 400, 2),
  team_changed: row('The team has changed since this proposal was made.', 'Propose again.', 409),
  charter_emoji: row('A charter contains an emoji.', 'Remove it: charters are plain text.', 422),
  charter_hidden_text: row('A charter contains invisible characters.', 'Remove them.', 422),
  catalog_invalid: row('A catalog file is not valid.', 'Fix the field named above.', 422),
  layout_conflict: row(
    'Two casting states conflict.',
    'Compare them, then run `troupe squad migrate --keep canonical` or `--keep flat`.',
    409,
  ),
  memory_settled: row('That was already settled.', 'Run `troupe decision list` and `troupe decision inbox`.', 409),
  session_open: row('A team session is open.', 'End it with `troupe session change --end`.', 409),
  memory_full: row('The memory of the team is full.', 'Archive decisions, or settle inbox entries.', 409),
  nothing_to_sync: row('Nothing in .squad differs from the last commit.', 'Change the team first.', 400),
  sync_unavailable: row('The team cannot be committed now.', 'Resolve what the message says, then try again.', 409),
  sync_state_changed: row(
    'The changes differ from what was shown.',
    'Run `troupe squad sync` again and review it.',
    409,
  ),
  workflow_invalid: row('The workflow is not valid.', 'Fix the field named above.', 422),
  blueprint_generation_failed: row(
    'The model did not produce a blueprint.',
    'Try again, rephrase it, or use --offline to match by words.',
    422,
  ),
  invalid_blueprint: row(
    'The blueprint is not valid.',
    'Run `troupe catalog lint --blueprint` for every problem.',
    422,
  ),
  workflow_not_allowed: row(
    'The project does not allow this workflow.',
    'Use --override once, or add it to allowed_workflows in .squad/config.json.',
    409,
  ),
  handoff_denied: row(
    'The handoff does not allow the next phase to start.',
    'Run `troupe playbook status` to see the state of the run.',
    409,
  ),
  handoff_unreadable: row(
    'The handoffs of a run cannot be checked, so the call is denied.',
    'Fix the file named above.',
    422,
    2,
  ),
  workflow_unsupported: row('This workflow cannot be compiled to tasks.', 'Restructure the branch named above.', 422),
});
