import { useTranslation } from 'react-i18next';
import { chartRows } from '../../../contract/teeth.ts';
import { ToothGrid } from './tooth-grid.tsx';

interface ToothPickerProps {
  /** ISO 3950 */
  readonly teeth: readonly number[];
  /** Inherited from the slot or file; the first change starts from them. */
  readonly isFollowing: boolean;
  readonly onChange: (teeth: readonly number[]) => void;
}

/** Tooth chart in which several teeth are chosen. */
export const ToothPicker = ({ teeth, isFollowing, onChange }: ToothPickerProps) => {
  const { t } = useTranslation('edit');
  return (
    <ToothGrid
      label={t('teeth')}
      rows={chartRows}
      first={teeth[0] ?? 11}
      nameOf={(_, name) => t('tooth', { name })}
      isPressed={(tooth) => teeth.includes(tooth)}
      isFollowing={isFollowing}
      onPress={(tooth) => onChange(teeth.includes(tooth) ? teeth.filter((one) => one !== tooth) : [...teeth, tooth])}
    />
  );
};
