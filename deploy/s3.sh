#!/bin/sh
# The photo store of compose.yaml: SeaweedFS in one process, with one key, telling nobody of itself.
set -eu
umask 077
cat >/tmp/s3.json <<JSON
{"identities": [{"name": "fieldapi",
  "credentials": [{"accessKey": "$S3_KEY_ID", "secretKey": "$S3_SECRET"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
JSON
exec weed -logtostderr=true server -dir=/data -master.telemetry=false \
    -s3=true -s3.port=8333 -s3.config=/tmp/s3.json -volume.max=0
