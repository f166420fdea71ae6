/** What a worker tells of its life, a line each. */
export interface WorkerEvent {
  readonly event:
    | 'arrived'
    | 'clock'
    | 'took'
    | 'started'
    | 'refused'
    | 'warned'
    | 'unagreed'
    | 'agreed'
    | 'ended'
    | 'lost'
    | 'parked'
    | 'kept'
    | 'away'
    | 'back'
    | 'draining'
    | 'drained';
  readonly run?: string;
  readonly task?: string;
  readonly text: string;
}
