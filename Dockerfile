# The program alone: no shell, no other file but the certificates that "sml data fetch" needs, no root.
#
#   docker build -t sml .
#
# Its version is that of the commit, so build from a clean checkout, with its .git. A study
# belongs to the program that planned it: plan with this image, or with a program built
# from the same commit.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /sml ./cmd/sml

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /sml /sml
USER 65532:65532
ENTRYPOINT ["/sml"]
