import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { ErrorItem } from '../../../contract/problem.ts';
import { type ToldFailure, useFailureText } from '../language/failure-text.ts';
import { failureOfQuery, refusedFields } from '../reading.tsx';

/** What a form shows of its last try to send. */
export interface Sending {
  readonly busy: boolean;
  /** In words; null when nothing failed, or when all of it stands at the fields. */
  readonly failure: string | null;
  /** Somebody else was faster: what is shown is not what the archive holds. */
  readonly conflict: boolean;
}

const idle: Sending = { busy: false, failure: null, conflict: false };
const isBound = (name: string): name is keyof typeof bounds => Object.hasOwn(bounds, name);
const dates: readonly string[] = ['birthDate', 'studyDate', 'hiredSince'];
/** Fields that the bounds know by another name. */
const boundNames: Readonly<Record<string, keyof typeof bounds>> = { telephone: 'phone' };

/** Why a field was refused, in words. */
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
 * Sends a form: what is wrong stands at its field, by the form's own rules or by the archive's, and the first of these is focused; what is no
 * field's fault is said below. `onDirty` hears whether there is anything to lose; `wordsOf` says of a field what is its own, null where the usual
 * words will do; `told` says what is no field's fault, where the usual words will not do.
 */
export const useSending = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  onDirty: (dirty: boolean) => void,
  wordsOf: (item: ErrorItem, code: string | null) => string | null = () => null,
  told?: (failure: ToldFailure) => string,
) => {
  const [sending, setSending] = useState(idle);
  const usualText = useFailureText();
  const failureText = told ?? usualText;
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
      const refused = refusedFields(error).filter(({ fieldKey }) => Object.hasOwn(form.values, fieldKey));
      const [first] = refused;
      if (first) {
        form.setErrors(
          Object.fromEntries(refused.map((item) => [item.fieldKey, wordsOf(item, code) ?? fieldText(code, item)])),
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
