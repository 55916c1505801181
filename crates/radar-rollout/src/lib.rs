//! radar-rollout
