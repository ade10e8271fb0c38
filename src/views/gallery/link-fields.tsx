import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { linkDays } from '../../../contract/shared-links.ts';

/** How a link shows the images. */
export interface LinkChoice {
  readonly days: (typeof linkDays)[number];
  readonly showsPatient: boolean;
}

export const firstLinkChoice: LinkChoice = { days: '7', showsPatient: false };

interface LinkFieldsProps {
  readonly value: LinkChoice;
  readonly disabled: boolean;
  readonly onChange: (value: LinkChoice) => void;
}

/** Term of a link, and whether it shows who the patient is. */
export const LinkFields = ({ value, disabled, onChange }: LinkFieldsProps) => {
  const { t } = useTranslation('share');
  return (
    <>
      <NativeSelect
        label={t('term')}
        disabled={disabled}
        data={linkDays.map((days) => ({ value: days, label: t('days', { count: Number(days) }) }))}
        value={value.days}
        onChange={({ currentTarget }) =>
          onChange({ ...value, days: linkDays.find((days) => days === currentTarget.value) ?? value.days })
        }
      />
      <Checkbox
        label={t('showsPatient')}
        description={t(value.showsPatient ? 'showsPatient-on' : 'showsPatient-off')}
        disabled={disabled}
        checked={value.showsPatient}
        onChange={(event) => onChange({ ...value, showsPatient: event.currentTarget.checked })}
      />
    </>
  );
};
