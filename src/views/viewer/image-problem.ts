import { useTranslation } from 'react-i18next';
import { type ToldFailure, useRecordFailureText } from '../language/failure-text.ts';

const codes = [
  'not-dicom',
  'malformed',
  'truncated',
  'too-large',
  'no-pixel-data',
  'no-image-size',
  'image-unsupported',
  'transfer-syntax-unsupported',
  'pixel-data-short',
  'no-such-frame',
  'decode-failed',
  'picture-unsupported',
] as const;

const isTold = (value: unknown): value is ToldFailure =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** Why an image cannot be shown, in words: the file's own fault by its code, or the call that failed. */
export const useImageProblemText = () => {
  const { t } = useTranslation('viewer');
  const failureText = useRecordFailureText();
  return (error: Error, transferSyntax: string): string => {
    const code = codes.find((known) => 'code' in error && error.code === known);
    if (code) return t(`problem-${code}`, { syntax: transferSyntax });
    const failure = 'failure' in error ? error.failure : null;
    return failureText(isTold(failure) ? failure : { kind: 'unexpected' });
  };
};

/** Trying again helps when the way to the archive was at fault, never when the file is. */
export const isWorthAnotherTry = (error: Error): boolean =>
  !codes.some((code) => 'code' in error && error.code === code);
