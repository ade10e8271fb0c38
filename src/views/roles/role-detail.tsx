import { Tabs } from '@mantine/core';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import type { Claim } from '../../../contract/claims.ts';
import type { Role } from '../../../contract/roles.ts';
import { useRoleName } from '../language/role-name.ts';
import { BarredButton } from '../parts/barred-button.tsx';
import { type Draft, RightsForm } from './rights-form.tsx';
import { RoleHolders } from './role-holders.tsx';
import classes from './roles.module.css';
import type { Viewer } from './roles.ts';
import { SeeAs } from './see-as.tsx';

interface RoleDetailProps {
  readonly role: Role;
  readonly viewer: Viewer;
  readonly draft: Draft | null;
  /** As they are shown: those of the draft, else of the role. */
  readonly claims: readonly Claim[];
  readonly dirty: boolean;
  readonly onClaims: (claims: readonly Claim[]) => void;
  readonly onSettled: (saved: Role | null) => void;
  readonly onRename: () => void;
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}

/** One role: who holds it, what it may do, and the product as those people see it. */
export const RoleDetail = (props: RoleDetailProps) => {
  const { role, viewer, draft, claims, dirty, onClaims, onSettled, onRename, onCopy, onDelete } = props;
  const { t } = useTranslation('role-admin');
  const roleName = useRoleName();
  const [params, setParams] = useSearchParams();
  const tab = params.get('show') === 'as' ? 'as' : 'rights';
  const show = (next: string | null) =>
    setParams(
      (now) => {
        const wanted = new URLSearchParams(now);
        if (next === 'as') wanted.set('show', 'as');
        else wanted.delete('show');
        return wanted;
      },
      { replace: true },
    );
  return (
    <section className={classes.detail} aria-label={roleName(role.name)}>
      <div className={classes.facts}>
        <h2 className={classes.name}>{roleName(role.name)}</h2>
        <RoleHolders roleId={role.id} />
        <div className={classes.deeds}>
          <BarredButton
            variant="default"
            reason={viewer.barred('rename', role)}
            leftSection={<IconPencil aria-hidden="true" />}
            onClick={onRename}
          >
            {t('rename')}
          </BarredButton>
          <BarredButton
            variant="default"
            reason={viewer.barred('create')}
            leftSection={<IconCopy aria-hidden="true" />}
            onClick={onCopy}
          >
            {t('copy')}
          </BarredButton>
          <BarredButton
            variant="default"
            reason={viewer.barred('delete', role)}
            leftSection={<IconTrash aria-hidden="true" />}
            onClick={onDelete}
          >
            {t('delete')}
          </BarredButton>
        </div>
      </div>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="rights" leftSection={<IconListCheck aria-hidden="true" />}>
            {t('rights')}
          </Tabs.Tab>
          <Tabs.Tab value="as" leftSection={<IconEye aria-hidden="true" />}>
            {t('seeAs')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rights" className={classes.panel}>
          <RightsForm
            role={role}
            viewer={viewer}
            draft={draft}
            claims={claims}
            onClaims={onClaims}
            onSettled={onSettled}
          />
        </Tabs.Panel>
        <Tabs.Panel value="as" className={classes.panel}>
          <SeeAs claims={claims} unsaved={dirty} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
};
