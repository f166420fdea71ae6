/** Bounds of panels. */
export const PANEL_LIMITS = {
  /** Seats of a panel. */
  seatsLeast: 3,
  seatsMost: 6,
  /** Rounds before the synthesis: one, and more for calls that cannot be taken back. */
  rounds: 1,
  roundsMost: 4,
  /** The note of a seat, and the decision. */
  noteBytes: 64 * 1024,
  decisionBytes: 256 * 1024,
  /** What is read of one note: its points, and the characters of one text. */
  points: 60,
  pointCharacters: 600,
  roleCharacters: 80,
} as const;
