import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Tree } from './repository.js';
import { complaintsOf, type Validate } from './unknown-fields.js';

const SCHEMAS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  ScaledObject,
  Service,
  ServiceAccount,
];

/** What the schema of its kind says against a manifest: wrong forms, missing fields, fields that are not known. */
export const againstSchema = (manifest: Tree): string[] => {
  const schema = SCHEMAS.find(({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind);
  if (!schema) return [`no schema of ${String(manifest.apiVersion)} ${String(manifest.kind)}`];
  // A model's check looks at `this` alone; the model itself would copy the manifest, and nothing could be seen of it.
  return complaintsOf(schema.prototype.validate as Validate, manifest);
};
