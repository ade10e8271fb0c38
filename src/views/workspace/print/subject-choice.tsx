import { useTranslation } from 'react-i18next';
import { Choice } from './choice.tsx';
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
