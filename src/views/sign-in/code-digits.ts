/** Digits of a one-time code (RFC 6238 in its usual length; the text message's are as many). */
export const codeDigits = 6;

/** The digits of what was typed or pasted, spaces and dashes left out. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, codeDigits);
