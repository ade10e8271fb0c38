import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { templateImport, templateObject } from '../../contract/template-objects.ts';
import {
  extentOf,
  type Template,
  templateCreate,
  templateFavorite,
  templateGet,
  templates,
} from '../../contract/viewsets.ts';
import { uidOfUuid } from '../../dicom/write/uid.ts';
import { customerById } from '../db/stores/customer-store.ts';
import {
  findTemplate,
  insertTemplates,
  setFavorite,
  type TemplateRow,
  templatesOfClinic,
} from '../db/stores/templates.ts';
import { isSameTemplate, readTemplateFile, templateFile } from '../domain/display-objects/template-content.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { drawnSlots } from './viewset-slots.ts';

const templateOf = (row: TemplateRow): Template => ({
  uuid: row.id,
  name: row.name,
  width: row.width,
  height: row.height,
  isFavorite: row.is_favorite,
  modality: row.modality,
  viewSetItems: row.items,
});

/** Registers the routes of templates: those of all clinics and those of the caller's clinic. */
export const templateRoutes = (server: FastifyInstance, { db, binding }: ResourceDependencies): void => {
  /** @throws ProblemError 'not-found', also for a template of a clinic that the caller may not use */
  const requireAccessibleTemplate = async (principal: Principal, id: string): Promise<TemplateRow> => {
    const row = await findTemplate(db, principal.accountId, id);
    if (!row || (row.customer_id !== null && !canUseClinic(principal, row.customer_id)))
      throw new ProblemError('not-found');
    return row;
  };

  /** @throws ProblemError 'not-found', also for a clinic that the caller may not use */
  const requireClinic = async (principal: Principal, customerId: string): Promise<void> => {
    if (!canUseClinic(principal, customerId) || !(await customerById(db, customerId)))
      throw new ProblemError('not-found');
  };

  bind(server, binding, templates, async ({ principal, query, language }) => {
    const customerId = query.customerId ?? principal.customerId;
    if (customerId !== null && !canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    return (await templatesOfClinic(db, principal.accountId, customerId, language)).map(templateOf);
  });

  bind(server, binding, templateGet, async ({ principal, params }) =>
    templateOf(await requireAccessibleTemplate(principal, params.id)),
  );

  bind(server, binding, templateCreate, async ({ principal, body }) => {
    await requireClinic(principal, body.customerId);
    const id = randomUUID();
    const slots = drawnSlots(body.viewSetItems);
    await insertTemplates(db, [
      {
        id,
        customer_id: body.customerId,
        name: body.name,
        ...extentOf(slots),
        modality: 'IO',
        items: JSON.stringify(slots),
      },
    ]);
    return templateOf(await requireAccessibleTemplate(principal, id));
  });

  bind(server, binding, templateObject, async ({ principal, params, reply }) => {
    const row = await requireAccessibleTemplate(principal, params.id);
    const file = templateFile(row, { sopInstanceUid: uidOfUuid(randomUUID()), createdAt: new Date() });
    return reply
      .headers({
        'cache-control': 'private, no-store',
        'content-disposition': 'attachment; filename="template.dcm"',
        'x-content-type-options': 'nosniff',
      })
      .type('application/dicom')
      .send(Buffer.from(file));
  });

  bind(server, binding, templateImport, async ({ principal, body, language }) => {
    const { customerId } = body;
    await requireClinic(principal, customerId);
    const read = readTemplateFile(Buffer.from(body.file, 'base64'));
    if ('problem' in read)
      throw new ProblemError('invalid-request', [{ fieldKey: 'file', vars: { problem: read.problem } }]);
    const { content, notTaken } = read;
    const known = await templatesOfClinic(db, principal.accountId, customerId, language);
    const same = known.find((one) => isSameTemplate(one, content));
    if (same) return { template: templateOf(same), notTaken: [...notTaken] };
    const id = randomUUID();
    const { items, ...template } = content;
    await insertTemplates(db, [{ id, customer_id: customerId, ...template, items: JSON.stringify(items) }]);
    return { template: templateOf(await requireAccessibleTemplate(principal, id)), notTaken: [...notTaken] };
  });

  bind(server, binding, templateFavorite, async ({ principal, body }) => {
    const row = await requireAccessibleTemplate(principal, body.uuid);
    await setFavorite(db, { accountId: principal.accountId, templateId: row.id, isFavorite: body.isFavorite });
    return { ...templateOf(row), isFavorite: body.isFavorite };
  });
};
