import { ActionIcon, Menu } from '@mantine/core';
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs';
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs';
import IconCalendarPlus from '@tabler/icons-react/dist/esm/icons/IconCalendarPlus.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconLayoutGridAdd from '@tabler/icons-react/dist/esm/icons/IconLayoutGridAdd.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import IconTransferIn from '@tabler/icons-react/dist/esm/icons/IconTransferIn.mjs';
import IconTransferOut from '@tabler/icons-react/dist/esm/icons/IconTransferOut.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { EditKind, EditRequest } from '../../app/edit-requests.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { useWorkspace } from '../workspace-context.ts';
import classes from './record-menu.module.css';

interface RecordMenuProps {
  /** Name of the record, for screen readers. */
  readonly name: string;
  readonly requests: readonly EditRequest[];
  /** Items above the edit items. */
  readonly children?: ReactNode;
  readonly onBlack?: boolean;
}

const iconOf = (kind: EditKind) => {
  if (kind === 'new-viewset') return <IconLayoutGridAdd aria-hidden="true" />;
  if (kind.startsWith('send')) return <IconTransferOut aria-hidden="true" />;
  if (kind === 'fetch-patient') return <IconTransferIn aria-hidden="true" />;
  if (kind.startsWith('download')) return <IconSend aria-hidden="true" />;
  if (kind === 'order-images') return <IconCalendarPlus aria-hidden="true" />;
  if (kind === 'shared-links') return <IconLink aria-hidden="true" />;
  if (kind === 'merge-patient') return <IconArrowMerge aria-hidden="true" />;
  if (kind.startsWith('move')) return <IconArrowRight aria-hidden="true" />;
  return kind.startsWith('delete') ? <IconTrash aria-hidden="true" /> : <IconPencil aria-hidden="true" />;
};

/** Edit menu of a record. Disabled items show the reason. */
export const RecordMenu = ({ name, requests, children, onBlack = false }: RecordMenuProps) => {
  const { t } = useTranslation('edit');
  const { edit } = useWorkspace();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          className={classes.dots}
          data-on-black={onBlack || undefined}
          variant="subtle"
          color="gray"
          aria-label={t('menu', { name })}
        >
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {requests.map((request) => {
          const reason = edit.disabledReason(request.kind);
          return (
            <Menu.Item
              key={request.kind}
              leftSection={iconOf(request.kind)}
              color={request.kind.startsWith('delete') ? 'red' : undefined}
              disabled={reason !== null}
              onClick={() => edit.request(request)}
            >
              {t(request.kind)}
              {reason && <span className={classes.reason}>{reason}</span>}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

/** Returns the display name of an image: its teeth, its own name, or its number. */
export const useImageName = (): ((image: ImageInfo) => string) => {
  const { t } = useTranslation('patient');
  const toothText = useToothText();
  return (image) =>
    toothText(image.teeth) || image.name.trim() || t('imageNumber', { number: image.number ?? image.order });
};

interface ImageMenuProps extends Pick<RecordMenuProps, 'children' | 'onBlack'> {
  readonly image: ImageInfo;
  /** Teeth of its slot; empty when not mounted or not known. */
  readonly slotTeeth: readonly number[];
}

/** Edit menu of an image. */
export const ImageMenu = ({ image, slotTeeth, ...menu }: ImageMenuProps) => (
  <RecordMenu
    {...menu}
    name={useImageName()(image)}
    requests={[
      { kind: 'edit-image', image, slotTeeth },
      { kind: 'move-image', image },
      { kind: 'delete-image', image },
    ]}
  />
);
