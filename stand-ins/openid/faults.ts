/** Faults of a provider, injected by a test until changed. */
export interface FaultInjection {
  /** Claims that replace those of the id token (`nonce`, `aud`, `tid` ...); null removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that is not in its JWKS. */
  readonly foreignKey?: boolean;
  /** Issuer in its discovery document. */
  readonly issuer?: string;
  /** Answers 503 to everything. */
  readonly down?: boolean;
  /** Delay of the token endpoint. */
  readonly slowMilliseconds?: number;
  /** Claims that replace those of userinfo. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** Returns `given` with the properties of `changes`; null removes one. */
export const changed = (
  given: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...given, ...changes }).filter(([, value]) => value !== null));
