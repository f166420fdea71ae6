import type { Generated } from 'kysely';

/** Position of a row in its table; later rows have higher ones. */
interface Placed {
  readonly rowid: Generated<number>;
}

interface Conversations extends Placed {
  readonly id: string;
  readonly team_id: string | null;
  readonly parent_id: string | null;
  readonly initiator: string;
  readonly recipient: string;
  readonly kind: Generated<string>;
  readonly opened_by: string | null;
  readonly task_id: string | null;
  readonly state: string;
  readonly round: Generated<number>;
  readonly depth: Generated<number>;
  readonly turn: Generated<number>;
  readonly created_at: number;
}

interface Messages extends Placed {
  readonly id: string;
  readonly conversation_id: string;
  readonly seq: number;
  readonly sender: string;
  readonly sender_name: string;
  readonly speaks_for: string;
  readonly type: string;
  readonly priority: string;
  readonly subject: string | null;
  readonly body: string;
  readonly reply_to: string | null;
  readonly thread_id: string | null;
  readonly expires_at: number | null;
  readonly created_at: number;
}

interface Recipients {
  readonly message_id: string;
  readonly member: string;
  readonly role: string;
  readonly read_at: number | null;
  readonly task_id: string | null;
  readonly shown_to: number | null;
}

interface Mail {
  readonly message_id: string;
  readonly team_id: string;
  readonly position: string | null;
  readonly task_id: string | null;
  readonly origin: string;
  readonly depth: number;
}

interface Outbox extends Placed {
  readonly id: string;
  readonly op: string;
  readonly args_json: string;
  readonly state: string;
  readonly created_at: number;
}

interface Teams {
  readonly id: string;
  readonly name: string;
  readonly name_auto: number;
  readonly description: string;
  readonly status: string;
  readonly mesh: number;
  readonly cast_slug: string | null;
  readonly created_at: number;
  readonly ended_at: number | null;
}

interface Members {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly slug: string;
  readonly position: string;
  readonly status: string;
  readonly agent: string | null;
  readonly person: string | null;
  readonly joined_at: number;
  readonly left_at: number | null;
}

interface Strata {
  readonly team_id: string;
  readonly version: number;
  readonly state: string;
  readonly plan_json: string | null;
  readonly sha256: string | null;
  readonly claim_fence: number | null;
  readonly tries: number;
  readonly created_at: number;
}

interface WakeUps extends Placed {
  readonly task_id: string;
  readonly team_id: string;
  readonly member: string;
  readonly origin: string;
  readonly depth: number;
  readonly cause: string | null;
  readonly created_at: number;
}

interface Sessions extends Placed {
  readonly id: string;
  readonly team_id: string;
  readonly topic: string;
  readonly trigger: string;
  readonly max_rounds: number;
  readonly status: string;
  readonly outcome_json: string | null;
  readonly created_at: number;
}

interface Artifacts extends Placed {
  readonly id: string;
  readonly team_id: string;
  readonly task_id: string | null;
  readonly attempt: number | null;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly content: Uint8Array;
  readonly state: string;
  readonly created_by: string;
  readonly created_at: number;
}

interface InboxEntries {
  readonly number: Generated<number>;
  readonly agent: string;
  readonly slug: string;
  readonly stored_slug: string;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly rationale: string;
  readonly status: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly settled_by: string | null;
  readonly settled_at: number | null;
  readonly reason: string | null;
}

/** All tables of teams and mail after the newest migration. Enumerated values are strings here: readers check them. */
export interface Columns {
  readonly artifacts: Artifacts;
  readonly conversations: Conversations;
  readonly cursors: { readonly recipient: string; readonly conversation_id: string; readonly last_seq: number };
  readonly graph_cursor: { readonly one: number; readonly seq: number };
  readonly inbox_entries: InboxEntries;
  readonly ledger_files: { readonly place: string; readonly sha256: string };
  readonly mail: Mail;
  readonly members: Members;
  readonly messages: Messages;
  readonly outbox: Outbox;
  readonly participants: { readonly session_id: string; readonly place: number; readonly member: string };
  readonly recipients: Recipients;
  readonly requests: {
    readonly id: string;
    readonly input: string;
    readonly result_json: string | null;
    readonly at: number;
  };
  readonly sessions: Sessions;
  readonly strata: Strata;
  readonly team_events: {
    readonly seq: Generated<number>;
    readonly team_id: string;
    readonly kind: string;
    readonly payload_json: string;
    readonly at: number;
  };
  readonly teams: Teams;
  readonly teams_in_use: { readonly person: string; readonly team_id: string };
  readonly turns: { readonly session_id: string; readonly n: number; readonly member: string; readonly body: string };
  readonly waiting_lines: { readonly number: Generated<number>; readonly line: string };
  readonly wake_ups: WakeUps;
}
