/** What a test tells a provider to do wrong, until it tells it otherwise. */
export interface Faults {
  /** Claims that are put into the id token instead of its own (`nonce`, `aud`, `tid` ...); null takes one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that it does not show. */
  readonly foreignKey?: boolean;
  /** Calls itself by this name in its description. */
  readonly issuer?: string;
  /** Answers 503 to everything. */
  readonly down?: boolean;
  /** Waits so long at the token endpoint. */
  readonly slowMilliseconds?: number;
  /** Claims of userinfo instead of its own. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** Properties of `given` replaced by those of `changes`; null takes one away. */
export const changed = (
  given: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...given, ...changes }).filter(([, value]) => value !== null));
