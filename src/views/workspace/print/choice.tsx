import { Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subject } from './print-subject.ts';

interface SubjectChoiceProps {
  readonly subjects: readonly Subject[];
  /** Index of the chosen one. */
  readonly chosen: number;
  readonly disabled: boolean;
  readonly onChoose: (index: number) => void;
}

/** All that is shown, or the active image; nothing to choose when only one image is shown. */
export const SubjectChoice = ({ subjects, chosen, disabled, onChoose }: SubjectChoiceProps) => {
  const { t } = useTranslation('print');
  if (subjects.length < 2) return null;
  return (
    <Choice
      label={t('subject')}
      value={String(chosen)}
      options={subjects.map(({ kind }, index) => ({ value: String(index), label: t(`subject-${kind}`) }))}
      disabled={disabled}
      onChange={(index) => onChoose(Number(index))}
    />
  );
};

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly disabled: boolean;
  readonly description?: string | undefined;
  /** Why this value is not possible. */
  readonly error?: string | null;
  readonly onChange: (value: Value) => void;
}

/** One of two or three values, all in sight. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, value, options, disabled, description, error, onChange } = props;
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        data={[...options]}
        value={value}
        disabled={disabled}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
};
