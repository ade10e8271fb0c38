import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a DICOM folder can have, by the field of the request and its texts. */
const offeredAdditions = ['displayObjects', 'reportObjects', 'uncompressed', 'pictureIndex'] as const;
export type Addition = (typeof offeredAdditions)[number];

interface MediumFieldsProps {
  readonly additions: readonly Addition[];
  readonly isDisabled: boolean;
  readonly onChange: (additions: readonly Addition[]) => void;
}

/** Asks what a DICOM folder has beside the images, and how they are stored. */
export const MediumFields = ({ additions, isDisabled, onChange }: MediumFieldsProps) => {
  const { t } = useTranslation('gallery');
  return offeredAdditions.map((addition) => (
    <Checkbox
      key={addition}
      label={t(addition)}
      description={t(`${addition}Help`)}
      disabled={isDisabled}
      checked={additions.includes(addition)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.checked ? [...additions, addition] : additions.filter((one) => one !== addition))
      }
    />
  ));
};
