import { type Claims, textOf } from './upstream.ts';

/** Factors of RFC 8176: knowledge, and possession or inherence. */
const knowledge = new Set(['pwd', 'pin', 'kba']);
const held = new Set(['otp', 'hwk', 'swk', 'sc', 'sms', 'tel', 'fpt', 'face', 'iris', 'retina', 'vbm']);

/** Assurance levels that require two factors: SAMBI and e-legitimation 3 and above, REFEDS, OpenID PAPE, Microsoft. */
const strongContext =
  /^(http:\/\/id\.sambi\.se\/loa\/loa[34]|http:\/\/id\.elegnamnden\.se\/loa\/1\.0\/loa[34].*|https:\/\/refeds\.org\/profile\/mfa|http:\/\/schemas\.openid\.net\/pape\/policies\/2007\/06\/multi-factor(-physical)?|http:\/\/schemas\.microsoft\.com\/claims\/multipleauthn)$/;

/** Returns `amr` (RFC 8176), the authentication methods; empty when the provider sends none. */
export const methodsOf = (claims: Claims): string[] => {
  const { amr } = claims;
  return Array.isArray(amr) ? amr.filter((one): one is string => typeof one === 'string') : [];
};

/** Returns whether the provider reports more than one factor, by `amr` or `acr`. */
export const isMultiFactor = (claims: Claims): boolean => {
  const methods = methodsOf(claims);
  if (methods.includes('mfa')) return true;
  if (methods.some((one) => knowledge.has(one)) && methods.some((one) => held.has(one))) return true;
  return strongContext.test(textOf(claims, 'acr') ?? '');
};
