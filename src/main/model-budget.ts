import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import type { ModelBudget } from '#operations/settings/budget.js';
import type { Service } from '#ports/service.js';

/**
 * Budget for a command that itself calls a model. A running service holds the graph and therefore the ledger, so
 * reservations are requested from it; otherwise `own` decides.
 */
export function budgetBesideService(service: Service, own: () => Promise<ModelBudget>): ModelBudget {
  const served = async (request: ServiceRequest) => {
    const reply = await service.ask(request);
    return reply.state === 'answered' ? (reply.result as { reservation?: string | null }) : undefined;
  };
  return {
    async reserve(question) {
      const { promptBytes, timeMs, ...about } = question;
      const answer = await served({ cmd: 'reserve_model', ...about, prompt_bytes: promptBytes, time_ms: timeMs });
      return answer ? (answer.reservation ?? undefined) : await (await own()).reserve(question);
    },
    async settle(id, end) {
      if (!(await served({ cmd: 'settle_model', reservation: id, ...end }))) await (await own()).settle(id, end);
    },
  };
}
