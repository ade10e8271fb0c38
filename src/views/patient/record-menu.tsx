import { ActionIcon, Menu } from '@mantine/core';
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import IconLayoutGridAdd from '@tabler/icons-react/dist/esm/icons/IconLayoutGridAdd.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditKind, EditWish } from '../edit-wishes.ts';
import { useEditActions } from './edit-actions.ts';
import classes from './record-menu.module.css';

interface RecordMenuProps {
  /** Of what it is the menu; heard, not seen. */
  readonly name: string;
  readonly wishes: readonly EditWish[];
  /** Items above those of editing. */
  readonly children?: ReactNode;
  readonly onBlack?: boolean;
}

const iconOf = (kind: EditKind) => {
  if (kind === 'new-viewset') return <IconLayoutGridAdd aria-hidden="true" />;
  if (kind === 'merge-patient') return <IconArrowMerge aria-hidden="true" />;
  return kind.startsWith('delete') ? <IconTrash aria-hidden="true" /> : <IconPencil aria-hidden="true" />;
};

/** What can be done to a record. What this person may not do is there, and says why it cannot be chosen. */
export const RecordMenu = ({ name, wishes, children, onBlack = false }: RecordMenuProps) => {
  const { t } = useTranslation('edit');
  const actions = useEditActions();
  if (!actions) return null;
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
        {wishes.map((wish) => {
          const reason = actions.barred(wish.kind);
          return (
            <Menu.Item
              key={wish.kind}
              leftSection={iconOf(wish.kind)}
              color={wish.kind.startsWith('delete') ? 'red' : undefined}
              disabled={reason !== null}
              onClick={() => actions.ask(wish)}
            >
              {t(wish.kind)}
              {reason && <span className={classes.reason}>{reason}</span>}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};
