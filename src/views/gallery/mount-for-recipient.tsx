import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';

interface MountForRecipientProps {
  readonly viewsetId: string;
  readonly onClose: () => void;
}

/** Gives the images that are mounted in a mount to a recipient, of whatever study they are. */
export const MountForRecipient = ({ viewsetId, onClose }: MountForRecipientProps) => {
  const { t } = useTranslation(['gallery', 'shell']);
  const failureText = useFailureText();
  const query = useQuery({ ...useAppQueries().viewset(viewsetId), staleTime: 0 });
  if (!query.isError && !query.isFetchedAfterMount) return null;
  const imageUIDs = query.data?.viewSetItems.flatMap(({ activeImage }) => activeImage?.uid ?? []) ?? [];
  if (!query.isError && imageUIDs.length > 0)
    return <RecipientDialog scope={{ imageUIDs }} known={null} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('imagesForRecipient')}
      size={560}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Notice
        urgent={query.isError}
        title={query.isError ? failureText(failureOfQuery(query.error)) : t('noneMounted')}
      />
    </Modal>
  );
};
