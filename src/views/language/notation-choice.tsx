import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { toothNotations } from '../../../contract/teeth.ts';
import { useToothNotation } from './tooth-notation.ts';

/** Selects the tooth notation, stored in this browser. */
export const NotationChoice = ({ label }: { label: string }) => {
  const { t } = useTranslation('edit');
  const [notation, choose] = useToothNotation();
  return (
    <SegmentedControl
      fullWidth
      aria-label={label}
      value={notation}
      onChange={(value) => {
        const chosen = toothNotations.find((name) => name === value);
        if (chosen) choose(chosen);
      }}
      data={toothNotations.map((value) => ({ value, label: t(value) }))}
    />
  );
};
