import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds, email } from '../../../contract/bounds.ts';
import type { ErrorItem } from '../../../contract/problem.ts';
import { failureOfQuery, type ReadQuery, rejectedFields } from '../app/queries-context.tsx';
import { type ReportedFailure, useFailureText } from '../language/failure-text.ts';

/** Returns validators based on the contract's bounds; each returns an error text or null. */
export const useFieldRules = () => {
  const { t } = useTranslation('new-patient');
  const length = (text: string, name: keyof typeof bounds): string | null => {
    const [min, max] = bounds[name];
    return text.length >= min && text.length <= max ? null : t('length', { min, max });
  };
  return {
    required:
      (name: keyof typeof bounds) =>
      (value: string): string | null => {
        const text = value.trim();
        return text === '' ? t('required') : length(text, name);
      },
    optional:
      (name: keyof typeof bounds) =>
      (value: string): string | null => {
        const text = value.trim();
        return text === '' ? null : length(text, name);
      },
    email: (value: string): string | null => {
      const text = value.trim();
      if (text === '') return t('required');
      return email.safeParse(text).success ? null : t('emailInvalid');
    },
  };
};

/**
 * Holds the record that a form edits, and reloads it after a conflict. Use `formKey` as the `key` of the form: a new value resets the form.
 * A record deleted meanwhile stays unchanged.
 */
export const useEditedRecord = <T, Reply>(
  first: T,
  readable: () => ReadQuery<Reply>,
  find: (reply: Reply) => T | undefined,
) => {
  const client = useQueryClient();
  const [{ known, formKey }, setKnown] = useState({ known: first, formKey: 0 });
  const loadLatest = async () => {
    const reply = await client.fetchQuery({ ...readable(), staleTime: 0 });
    setKnown({ known: find(reply) ?? known, formKey: formKey + 1 });
  };
  return { known, formKey, loadLatest: () => void loadLatest().catch(() => undefined) };
};

/** State of the last submit. */
export interface SubmitState {
  readonly busy: boolean;
  /** Error text; null when there is none or all errors are shown at fields. */
  readonly failure: string | null;
  /** Another user saved first: the form shows an outdated version. */
  readonly conflict: boolean;
}

const idle: SubmitState = { busy: false, failure: null, conflict: false };
const isBound = (name: string): name is keyof typeof bounds => Object.hasOwn(bounds, name);
const dates: readonly string[] = ['birthDate', 'studyDate', 'hiredSince'];
/** Fields whose bounds have another name. */
const boundNames: Readonly<Record<string, keyof typeof bounds>> = { telephone: 'phone' };

/** Returns the error text of a field. */
const useFieldText = () => {
  const { t } = useTranslation(['new-patient', 'dates']);
  const failureText = useFailureText();
  return (code: string | null, { fieldKey, vars }: ErrorItem): string => {
    if (code !== 'invalid-request') return failureText({ kind: 'refused', code });
    if (dates.includes(fieldKey)) return t('dates:otherForm');
    if (!vars) return failureText({ kind: 'refused', code });
    const bound = boundNames[fieldKey] ?? fieldKey;
    const [min, max] = isBound(bound) ? bounds[bound] : [vars.min ?? 0, vars.max ?? bounds.description[1]];
    return t('length', { min, max });
  };
};

/**
 * Submits a form. Field errors (client or server) are shown at their fields and the first is focused; others are shown below.
 * `onDirty` reports unsaved changes; `wordsOf` and `failureTextOf` override the texts of field and other errors.
 */
export const useFormSubmit = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  onDirty: (dirty: boolean) => void,
  wordsOf: (item: ErrorItem, code: string | null) => string | null = () => null,
  failureTextOf?: (failure: ReportedFailure) => string,
) => {
  const [sending, setSending] = useState(idle);
  const usualText = useFailureText();
  const failureText = failureTextOf ?? usualText;
  const fieldText = useFieldText();
  const dirty = form.isDirty();
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const send = async (work: () => Promise<unknown>): Promise<void> => {
    setSending({ ...idle, busy: true });
    try {
      await work();
      setSending(idle);
    } catch (error) {
      const failure = failureOfQuery(error);
      const code = failure.code ?? null;
      const rejected = rejectedFields(error).filter(({ fieldKey }) => Object.hasOwn(form.values, fieldKey));
      const [first] = rejected;
      if (first) {
        form.setErrors(
          Object.fromEntries(rejected.map((item) => [item.fieldKey, wordsOf(item, code) ?? fieldText(code, item)])),
        );
        setSending(idle);
        form.getInputNode(first.fieldKey)?.focus();
        return;
      }
      const conflict = code === 'conflict';
      setSending({ busy: false, failure: conflict ? null : failureText(failure), conflict });
    }
  };
  /** For `onSubmit` of the form element. */
  const submit = (work: (values: Values) => Promise<unknown>) =>
    form.onSubmit(
      (values) => void send(() => work(values)),
      (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
    );
  return { sending, submit };
};
