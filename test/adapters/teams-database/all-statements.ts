import * as mail from '#adapters/mail/mail-statements.js';
import * as artifacts from '#adapters/teams/artifact-statements.js';
import * as inbox from '#adapters/teams/inbox-statements.js';
import * as sessions from '#adapters/teams/session-statements.js';
import * as talk from '#adapters/teams/talk-statements.js';
import * as teams from '#adapters/teams/team-statements.js';
import * as messages from '#adapters/teams-database/message-statements.js';
import * as outbox from '#adapters/teams-database/outbox-statements.js';
import * as requests from '#adapters/teams-database/request-statements.js';
import type { Statement } from '#adapters/teams-database/statement.js';

/** All statements of teams and mail, by name. */
export const STATEMENTS = Object.entries({
  ...{ ...mail, ...inbox, ...artifacts, ...sessions, ...talk, ...teams, ...messages, ...outbox, ...requests },
}) as readonly (readonly [string, Statement<object, unknown>])[];
