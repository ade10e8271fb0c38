import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dicomWebPath, dicomWebRoutes } from '../../../contract/dicomweb.ts';
import { rootOf } from './dependencies.ts';
import type { DicomWebSettings } from './dicomweb-settings.ts';

const methods = 'GET, HEAD, OPTIONS, POST';
const preflightSeconds = 600;

const resources = Object.values(dicomWebRoutes).map(({ path, method }) => {
  const place = path.replace(`${dicomWebPath}/`, '').replace(/:([A-Za-z]+)/g, '{$1}');
  return `<resource path="${place}"><method name="${method}"/></resource>`;
});

/** Describes the services as a WADL document (PS3.18 8.9). */
const capabilities = (root: string): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', '<application xmlns="http://wadl.dev.java.net/2009/02">']
    .concat(`<resources base="${root}">`, resources, '</resources>', '</application>', '')
    .join('\n');

const isClinic = (text: string): boolean => /^[0-9a-f-]{36}$/i.test(text);

/** Registers OPTIONS: the preflight of a page on another origin, and the capabilities. Neither says anything about a clinic or its data. */
export const capabilitiesRoutes = (scope: FastifyInstance, deps: { readonly dicomWeb: DicomWebSettings }): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { clinic } = request.params as { readonly clinic: string };
    reply.header('allow', methods);
    if (request.headers['access-control-request-method'] === undefined)
      return reply
        .type('application/vnd.sun.wadl+xml')
        .send(capabilities(rootOf(deps, isClinic(clinic) ? clinic.toLowerCase() : '{clinic}')));
    if (reply.hasHeader('access-control-allow-origin'))
      reply.headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': 'Authorization, Accept, Content-Type, If-Range, Range',
        'access-control-max-age': preflightSeconds,
      });
    return reply.code(204).send();
  };
  scope.options(dicomWebPath, answer);
  scope.options(`${dicomWebPath}/*`, answer);
};
